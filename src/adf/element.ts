/**
 * The elements of ADF 1.0 and their order (adf-1.0 section 1.1). Order is part of validity, so parents are built
 * from children by name, and this table alone says in which order they are written.
 */
const CONTENT_MODEL = {
  adf: ['prospect'],
  prospect: ['id', 'requestdate', 'vehicle', 'customer', 'vendor', 'provider'],
  vehicle: [
    'id',
    'year',
    'make',
    'model',
    'vin',
    'stock',
    'trim',
    'doors',
    'bodystyle',
    'transmission',
    'odometer',
    'condition',
    'colorcombination',
    'imagetag',
    'price',
    'pricecomments',
    'option',
    'finance',
    'comments',
  ],
  colorcombination: ['interiorcolor', 'exteriorcolor', 'preference'],
  // Here alone the id follows.
  customer: ['contact', 'id', 'timeframe', 'comments'],
  vendor: ['id', 'vendorname', 'url', 'contact'],
  provider: ['id', 'name', 'service', 'url', 'email', 'phone', 'contact'],
  contact: ['name', 'email', 'phone', 'address'],
  address: ['street', 'apartment', 'city', 'regioncode', 'postalcode', 'country'],
} as const;

type ParentName = keyof typeof CONTENT_MODEL;
type ChildName<Name extends ParentName> = (typeof CONTENT_MODEL)[Name][number];
type ElementName = ParentName | ChildName<ParentName>;

type Attributes = Readonly<Record<string, string>>;

export interface AdfElement<Name extends string = ElementName> {
  readonly name: Name;
  readonly attributes: Attributes;
  /** Text with nothing in it that XML forbids, or child elements in their order. */
  readonly content: string | readonly AdfElement[];
}

type Children<Name extends ParentName> = {
  readonly [Child in ChildName<Name>]?: AdfElement<Child> | readonly AdfElement<Child>[] | undefined;
};

export function parent<Name extends ParentName>(
  name: Name,
  attributes: Attributes,
  children: Children<Name>,
): AdfElement<Name> {
  const byName: Readonly<Record<string, AdfElement | readonly AdfElement[] | undefined>> = children;
  return { name, attributes, content: CONTENT_MODEL[name].flatMap((child) => byName[child] ?? []) };
}

/** An element that must stand there even when it has nothing to say. */
export function leaf<Name extends ElementName>(
  name: Name,
  text: string,
  attributes: Attributes = {},
): AdfElement<Name> {
  return { name, attributes, content: text };
}

/** An element that is left out when there is no text for it. */
export function optionalLeaf<Name extends ElementName>(
  name: Name,
  text: string | undefined,
  attributes: Attributes = {},
): AdfElement<Name> | undefined {
  return text === undefined || text === '' ? undefined : leaf(name, text, attributes);
}
