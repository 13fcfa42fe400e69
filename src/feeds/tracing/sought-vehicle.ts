import { cleanVin } from '../mapping/fields/vin-text.ts';

/** Tells whether a text of a file or a report is the VIN or number that somebody asks for. */
export class SoughtVehicle {
  readonly #keys: ReadonlySet<string>;

  /** `others`: numbers under which the same vehicle is known, such as the VIN of one asked for by its stock number. */
  constructor(asked: string, others: readonly string[] = []) {
    const keys = [asked, ...others].flatMap((each) => [upperCase(each), cleanVin(each)]);
    this.#keys = new Set(keys.filter((key) => key !== ''));
  }

  is(text: string | undefined): boolean {
    if (text === undefined) return false;
    return this.#keys.has(upperCase(text)) || this.#keys.has(cleanVin(text));
  }

  /** As the inventory looks it up. */
  get keys(): string[] {
    return [...this.#keys];
  }
}

function upperCase(text: string): string {
  return text.trim().toUpperCase();
}
