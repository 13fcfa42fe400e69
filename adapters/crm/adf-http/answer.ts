import { runInNewContext } from 'node:vm';
import { XMLParser } from 'fast-xml-parser';
import type { AnswerPlace, AnswerRule } from './options.ts';

/** An expression is tried on no more than this, so that a hostile answer cannot keep it busy. */
const LONGEST_MATCHED_TEXT = 16_384;
const LONGEST_MATCH_MS = 200;
const LONGEST_REFERENCE = 200;

type Value = string | number | boolean | null;
type Found = { found: true; value: Value | undefined } | { found: false };

const NOT_FOUND: Found = { found: false };

/** True when the place is there and, if the rule says a value, holds it. Throws when a pattern takes too long. */
export function keepsRule(body: string, rule: AnswerRule): boolean {
  const found = lookUp(body, rule);
  if (!found.found) return false;
  if (rule.equals === undefined) return true;
  // JSON tells 1 from "1"; XML and plain text know only text.
  return rule.json === undefined
    ? found.value === String(rule.equals)
    : found.value !== undefined && found.value === rule.equals;
}

/** The CRM's own id of the lead, as one short line. */
export function readReference(body: string, place: AnswerPlace): string | undefined {
  const found = lookUpInTime(body, place);
  if (!found.found || (typeof found.value !== 'string' && typeof found.value !== 'number')) return undefined;
  const text = String(found.value)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return text === '' ? undefined : text.slice(0, LONGEST_REFERENCE);
}

/** A reference that takes too long is worth less than the delivery. */
function lookUpInTime(body: string, place: AnswerPlace): Found {
  try {
    return lookUp(body, place);
  } catch {
    return NOT_FOUND;
  }
}

function lookUp(body: string, place: AnswerPlace): Found {
  try {
    if (place.json !== undefined) return lookUpJson(JSON.parse(body), place.json);
    if (place.xml !== undefined) return lookUpXml(body, place.xml);
    if (place.pattern !== undefined) return lookUpPattern(body, place.pattern);
    return NOT_FOUND;
  } catch (fault) {
    if ((fault as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw fault;
    return NOT_FOUND; // not JSON, not XML
  }
}

/** JSON Pointer (RFC 6901); the empty one is the whole answer. */
function lookUpJson(document: unknown, pointer: string): Found {
  let current = document;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return NOT_FOUND;
    current = (current as Record<string, unknown>)[key];
  }
  return { found: true, value: scalar(current) };
}

/** Every value stays text; a document type could define entities without end, so none is read. */
const xmlParser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

function lookUpXml(body: string, path: string): Found {
  if (/<!doctype/i.test(body)) return NOT_FOUND;
  let current: unknown = xmlParser.parse(body);
  for (const name of path.split('/').filter((part) => part !== '')) {
    if (Array.isArray(current)) current = (current as unknown[])[0];
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return NOT_FOUND;
    current = (current as Record<string, unknown>)[name];
  }
  if (Array.isArray(current)) current = (current as unknown[])[0];
  if (typeof current === 'object' && current !== null && Object.hasOwn(current, '#text')) {
    current = (current as Record<string, unknown>)['#text'];
  }
  return { found: true, value: scalar(current) };
}

function lookUpPattern(body: string, pattern: string): Found {
  const match = matchInTime(pattern, body.slice(0, LONGEST_MATCHED_TEXT));
  return match === null ? NOT_FOUND : { found: true, value: match[1] ?? match[0] };
}

/**
 * Some expressions look harmless and take years on the wrong text. Only V8's own watch over a script can end one.
 * Throws when the time is up: the answer can not be judged then.
 */
function matchInTime(pattern: string, text: string): RegExpExecArray | null {
  const script = `new RegExp(pattern, 'u').exec(text)`;
  return runInNewContext(script, { pattern, text }, { timeout: LONGEST_MATCH_MS }) as RegExpExecArray | null;
}

function scalar(value: unknown): Value | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  return typeof value === 'string' ? value : undefined;
}
