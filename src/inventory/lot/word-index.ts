import type { Vehicle } from '../../model/vehicle.ts';
import { fold } from './fold.ts';
import { TextIndexBuilder, type TextIndexData } from './text-index.ts';
import { chunkWords, nameWords, namesOf, phrasesOf } from './words.ts';

/** Texts up to this length repeat from vehicle to vehicle (colours, features) and are taken apart once. */
const REPEATING_CHARACTERS = 48;

/**
 * Builds the index of free text. Nearly all the time goes into taking texts apart, and nearly all texts and chunks
 * have been seen before, so each is taken apart once and remembered as the numbers of its words.
 */
export class WordIndexBuilder {
  readonly #index = new TextIndexBuilder();
  readonly #names = new Map<string, readonly number[]>();
  readonly #phrases = new Map<string, readonly number[]>();
  readonly #chunks = new Map<string, readonly number[]>();

  /** The next row's vehicle. */
  add(vehicle: Vehicle): void {
    for (const name of namesOf(vehicle)) {
      this.#index.addNumbers(remembered(this.#names, name, () => this.#numbers(nameWords(fold(name)))));
    }
    for (const phrase of phrasesOf(vehicle)) this.#addPhrase(phrase);
    // No two vehicles share their stock number, so there is nothing to remember.
    for (const chunk of fold(vehicle.stock ?? '').split(' ')) {
      this.#index.addNumbers(this.#numbers(chunkWords(chunk)));
    }
    this.#index.endRow();
  }

  finish(): TextIndexData {
    return this.#index.finish();
  }

  #addPhrase(phrase: string): void {
    if (phrase.length > REPEATING_CHARACTERS) {
      for (const chunk of fold(phrase).split(' ')) this.#index.addNumbers(this.#chunkNumbers(chunk));
      return;
    }
    const numbers = remembered(this.#phrases, phrase, () =>
      fold(phrase)
        .split(' ')
        .flatMap((chunk) => this.#chunkNumbers(chunk)),
    );
    this.#index.addNumbers(numbers);
  }

  #chunkNumbers(chunk: string): readonly number[] {
    return remembered(this.#chunks, chunk, () => this.#numbers(chunkWords(chunk)));
  }

  #numbers(words: readonly string[]): number[] {
    return words.map((word) => this.#index.numberOf(word));
  }
}

function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}
