/** What a DTD says, in a form in which two of them can be compared: order of attributes and of choices is none. */
export interface DtdTables {
  /** Content model by element, without blanks; choices in alphabetical order where all are single names. */
  elements: Record<string, string>;
  /** `element@attribute` with its type and default. */
  attributes: Record<string, string>;
}

/** Reads a DTD; `include` gives the text of an external entity that it pulls in. */
export function readDtd(text: string, include: (file: string) => string): DtdTables {
  const entities = new Map<string, string>();
  const tables: DtdTables = { elements: {}, attributes: {} };
  declare(text.replaceAll(/<!--[\s\S]*?-->/g, ''), { entities, tables, include });
  return tables;
}

interface Reading {
  entities: Map<string, string>;
  tables: DtdTables;
  include: (file: string) => string;
}

const DECLARATION =
  /<!ENTITY\s+%\s+(?<entity>\S+)\s+(?:SYSTEM\s+"(?<file>[^"]*)"|"(?<value>[^"]*)")\s*>|<!ELEMENT\s+(?<element>\S+)\s+(?<content>[^>]+)>|<!ATTLIST\s+(?<owner>\S+)\s+(?<list>[^>]*)>|%(?<reference>[^;\s]+);/g;

function declare(text: string, reading: Reading): void {
  const { entities, tables, include } = reading;
  for (const { groups } of text.matchAll(DECLARATION)) {
    const { entity, file, value, element, content, owner, list, reference } = groups!;
    // The first declaration of an entity is the one that counts.
    if (entity !== undefined && !entities.has(entity)) entities.set(entity, value ?? include(file!));
    if (element !== undefined) tables.elements[element] = model(expanded(content!, entities));
    if (owner !== undefined) Object.assign(tables.attributes, attributes(owner, expanded(list!, entities)));
    if (reference !== undefined) {
      declare(entities.get(reference)!.replaceAll(/<!--[\s\S]*?-->/g, ''), reading);
    }
  }
}

function expanded(text: string, entities: ReadonlyMap<string, string>): string {
  return text.replaceAll(/%([^;\s]+);/g, (_, name: string) => entities.get(name)!);
}

function model(content: string): string {
  return sortedChoices(content.replaceAll(/\s+/g, ''));
}

function sortedChoices(text: string): string {
  return text.replaceAll(
    /\(([\w-]+(?:\|[\w-]+)+)\)/g,
    (_, choices: string) => `(${choices.split('|').sort().join('|')})`,
  );
}

function attributes(owner: string, list: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', type = '', otherwise = ''] of list.matchAll(
    /([\w-]+)\s+(CDATA|\([^)]*\))\s+(#\w+|"[^"]*")/g,
  )) {
    found[`${owner}@${name}`] = `${sortedChoices(type.replaceAll(/\s+/g, ''))} ${otherwise}`;
  }
  return found;
}
