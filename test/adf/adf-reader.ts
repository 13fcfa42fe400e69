import { XMLParser } from 'fast-xml-parser';
import { SaxesParser } from 'saxes';

/** An element as a receiver reads it: attributes and texts after decoding, nothing typed, nothing trimmed. */
export interface ReadElement {
  name: string;
  attributes: Record<string, string>;
  children: ReadElement[];
  text: string;
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The references that XML itself knows; any other is a fault. */
function decodeReferences(text: string): string {
  return text.replaceAll(/&([^;]*);?/g, (reference, name: string) => {
    const character = /^#\d+$/.test(name) ? String.fromCodePoint(Number(name.slice(1))) : NAMED[name];
    if (character === undefined) throw new Error(`${reference} is no reference of XML`);
    return character;
  });
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  entityDecoder: {
    decode: decodeReferences,
    setExternalEntities: () => undefined,
    addInputEntities: () => undefined,
    reset: () => undefined,
    setXmlVersion: () => undefined,
  },
});

type Ordered = Record<string, unknown>;

/** The root element of a document; throws when it is not well formed. */
export function readAdf(xml: string): ReadElement {
  // saxes refuses what is not well formed; fast-xml-parser, which many receivers use, lets much of it pass.
  new SaxesParser({ fileName: 'lead.xml' }).write(xml).close();
  const roots = (parser.parse(xml) as Ordered[]).filter((node) => !('#text' in node)).map(toElement);
  if (roots.length !== 1) throw new Error(`${roots.length} roots`);
  return roots[0]!;
}

function toElement(node: Ordered): ReadElement {
  const name = Object.keys(node).find((key) => key !== ':@')!;
  const content = node[name] as Ordered[];
  return {
    name,
    attributes: { ...(node[':@'] as Record<string, string> | undefined) },
    children: content.filter((child) => !('#text' in child)).map(toElement),
    text: content.map((child) => ('#text' in child ? String(child['#text']) : '')).join(''),
  };
}

/** All elements at the end of a path, such as `prospect/vehicle/year`. */
export function select(element: ReadElement, path: string): ReadElement[] {
  return path
    .split('/')
    .reduce<ReadElement[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [element],
    );
}

/** The one element at the end of a path; throws when there is none or more than one. */
export function one(element: ReadElement, path: string): ReadElement {
  const found = select(element, path);
  if (found.length !== 1) throw new Error(`${found.length} elements at ${path}`);
  return found[0]!;
}

export function texts(element: ReadElement, path: string): string[] {
  return select(element, path).map(({ text }) => text);
}

export function childNames(element: ReadElement): string[] {
  return element.children.map(({ name }) => name);
}

export function everyElement(element: ReadElement): ReadElement[] {
  return [element, ...element.children.flatMap(everyElement)];
}
