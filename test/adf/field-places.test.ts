import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRequestValidator } from '../../src/agent/validators.ts';
import { renderAdf } from '../../src/adf/document.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import { one, readAdf, select } from './adf-reader.ts';
import type { ReadElement } from './adf-reader.ts';
import { leadWith } from './documents.ts';
import { FIELD_PLACES, FULL_REQUEST } from './field-places.ts';
import { xmllintFaults } from './xmllint.ts';

const SCHEMAS = new URL('../../schemas/aap/v1.3/', import.meta.url);

interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

function schemaFile(name: string): Schema {
  return JSON.parse(readFileSync(new URL(name, SCHEMAS), 'utf8')) as Schema;
}

/** The schema with what it refers to. */
function resolved(schema: Schema, root: Schema): { schema: Schema; root: Schema } {
  if (schema.$ref === undefined) return { schema, root };
  const [file = '', pointer = ''] = schema.$ref.split('#');
  const document = file === '' ? root : schemaFile(file);
  const definition = pointer.split('/').pop()!;
  return resolved(pointer === '' ? document : document.$defs![definition]!, document);
}

/** Every field that a request may have, as `customer.address.zip` or `trade_in.fees[].name`. */
function fieldsOf(start: Schema, startRoot: Schema, path: string): string[] {
  const { schema, root } = resolved(start, startRoot);
  const parts = [schema, ...(schema.allOf ?? [])].map((part) => resolved(part, root));
  const properties = parts.flatMap((part) =>
    Object.entries(part.schema.properties ?? {}).map(([name, property]) => ({
      name,
      property,
      root: part.root,
    })),
  );
  const nested = properties.flatMap(({ name, property, root: own }) =>
    fieldsOf(property, own, path === '' ? name : `${path}.${name}`),
  );
  if (nested.length > 0) return nested;
  const items = schema.items === undefined ? undefined : resolved(schema.items, root);
  return items?.schema.properties === undefined ? [path] : fieldsOf(items.schema, items.root, `${path}[]`);
}

const REQUEST = schemaFile('lead-submit-request.schema.json');
const FIELDS = [...new Set(fieldsOf(REQUEST, REQUEST, ''))];

/** `vehicle[2]/odometer@units=mi`: elements, which of several, and an attribute that it must have. */
function elementAt(prospect: ReadElement, place: string): ReadElement {
  const [path = '', attribute] = place.split('@');
  const element = path.split('/').reduce((parent, step) => {
    const [, name = '', number] = /^(\w+)(?:\[(\d)\])?$/.exec(step)!;
    return number === undefined ? one(parent, name) : select(parent, name)[Number(number) - 1]!;
  }, prospect);
  if (attribute !== undefined) {
    const [name = '', value] = attribute.split('=');
    expect(element.attributes[name]).toBe(value);
  }
  return element;
}

test('every field of the request schema has a place in ADF, or a reason for none', () => {
  expect(FIELDS).toHaveLength(109);
  expect(Object.keys(FIELD_PLACES).sort()).toEqual([...FIELDS].sort());
});

describe('a request with every field', () => {
  const request = structuredClone(FULL_REQUEST) as unknown as LeadSubmitRequest;
  const xml = renderAdf(leadWith(request), {});
  const prospect = one(readAdf(xml), 'prospect');

  test('is a lead that the schema accepts, and gives a valid document', () => {
    expect(createRequestValidator()('lead.submit', request)).toEqual([]);
    expect(xmllintFaults([xml])).toBe('');
  });

  test.each(FIELDS.flatMap((field) => [[field, FIELD_PLACES[field]!] as const]))('%s', (_, place) => {
    if ('reason' in place) {
      expect(place.reason).not.toBe('');
      return;
    }
    const { text } = elementAt(prospect, place.at);
    if (place.at.endsWith('comments')) expect(text.replaceAll(';\n', '; ')).toContain(place.reads);
    else expect(text).toBe(place.reads);
  });

  test('what has no place stands nowhere', () => {
    expect(xml).not.toMatch(/You may contact me|lead_submission|key-of-the-agent|lead\.submit/);
    expect(xml).not.toMatch(/dealer-wanted|rooftop-wanted|2026-04-01|pending|wanted\/2\.jpg/);
  });
});

describe('the table of docs/leads.md', () => {
  const rows = readFileSync(new URL('../../docs/leads.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const fields = new Map(rows.map(([field = '', ...places]) => [field.replaceAll('`', ''), places]));

  test.each(FIELDS)('tells the place of %s', (field) => {
    const [, vehicle, name = field] = /^(vehicle_of_interest|trade_in)\.(.+)$/.exec(field) ?? [];
    const places = fields.get(name.replace(/^fees\[\]\..*/, 'fees'))!;
    const told = places[vehicle === 'trade_in' && places.length > 1 ? 1 : 0]!;
    const place = FIELD_PLACES[field]!;
    // The same place as in this test's own table, which is checked against the document.
    const element = 'at' in place ? place.at.replace(/^vehicle\[\d\]\//, '') : 'not told';
    expect(told).toContain('at' in place ? `\`${element.replace(/@.*|\[\d\]/g, '')}\`` : element);
  });
});
