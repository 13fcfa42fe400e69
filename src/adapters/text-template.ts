/** Texts with places such as `{lead_id}`, as a dealer writes them into the settings. */

const PLACE = /\{([a-z_]+)\}/g;

/** Puts the values into their places. A place without a value stays as it is written. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACE, (place, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? place) : place,
  );
}

/** Names of the template's places that are not among the known ones, such as a misspelt one. */
export function unknownPlaces(template: string, known: readonly string[]): string[] {
  return [...template.matchAll(PLACE)].map(([, name = '']) => name).filter((name) => !known.includes(name));
}
