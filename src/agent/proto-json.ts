import { joinPointer } from '../documents/json-schema.ts';
import type { Fault } from './faults.ts';

type JsonObject = Record<string, unknown>;

/**
 * Reads an object as ProtoJSON, which A2A 1.0 speaks: a member may carry its proto name (`message_id` for
 * `messageId`), null means unset, an empty text is the same as none, and members nobody knows are passed over.
 * Only own properties count. What does not fit is collected in `faults`; so is a member under both of its names,
 * since parsers differ in which of two they take.
 */
export class ProtoReader {
  readonly #object: JsonObject;
  readonly #pointer: string;
  readonly #faults: Fault[];

  constructor(object: object, pointer: string, faults: Fault[]) {
    this.#object = object as JsonObject;
    this.#pointer = pointer;
    this.#faults = faults;
  }

  /** Own, and even when null. */
  has(name: string): boolean {
    return this.#key(name) !== undefined;
  }

  value(name: string): unknown {
    const key = this.#key(name);
    return key === undefined ? undefined : this.#object[key];
  }

  isSet(name: string): boolean {
    return (this.value(name) ?? undefined) !== undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === 'string') return value === '' ? undefined : value;
    this.fault(name, 'type', 'must be a string');
    return undefined;
  }

  requiredText(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined && (!this.isSet(name) || this.value(name) === '')) this.missing(name);
    return text;
  }

  object(name: string): ProtoReader | undefined {
    const value = this.value(name) ?? undefined;
    if (value === undefined) return undefined;
    if (isObject(value)) return new ProtoReader(value, joinPointer(this.#pointer, name), this.#faults);
    this.fault(name, 'type', 'must be an object');
    return undefined;
  }

  list(name: string): readonly unknown[] | undefined {
    const value = this.value(name) ?? undefined;
    if (value === undefined) return undefined;
    if (Array.isArray(value)) return value as unknown[];
    this.fault(name, 'type', 'must be an array');
    return undefined;
  }

  requiredObject(name: string): ProtoReader | undefined {
    if (!this.isSet(name)) this.missing(name);
    return this.object(name);
  }

  requiredList(name: string): readonly unknown[] | undefined {
    if (!this.isSet(name)) this.missing(name);
    return this.list(name);
  }

  fault(name: string, keyword: string, error: string): void {
    this.#faults.push({ instanceLocation: joinPointer(this.#pointer, name), keyword, error });
  }

  missing(name: string): void {
    this.#faults.push({
      instanceLocation: this.#pointer,
      keyword: 'required',
      error: `must have "${name}"`,
      missing: name,
    });
  }

  /** For the members that are read: each once, however often it is asked for. */
  refuseDoubled(...names: readonly string[]): void {
    for (const name of names) {
      const protoName = protoNameOf(name);
      if (protoName === name || !this.#holds(name) || !this.#holds(protoName)) continue;
      this.fault(name, 'not', `must not be given a second time as "${protoName}"`);
    }
  }

  /** The name that the member has here. Of two, the one that is set. */
  #key(name: string): string | undefined {
    if (this.#holds(name)) return name;
    const protoName = protoNameOf(name);
    if (protoName !== name && Object.hasOwn(this.#object, protoName)) return protoName;
    return Object.hasOwn(this.#object, name) ? name : undefined;
  }

  #holds(key: string): boolean {
    return Object.hasOwn(this.#object, key) && this.#object[key] !== null;
  }
}

const protoNames = new Map<string, string>();

/** `message_id` for `messageId`. Remembered: every call asks for the same few. */
function protoNameOf(name: string): string {
  const known = protoNames.get(name);
  if (known !== undefined) return known;
  const protoName = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  protoNames.set(name, protoName);
  return protoName;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
