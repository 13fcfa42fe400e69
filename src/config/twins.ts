/** Something that must be the only one of its name. */
export interface Named {
  name: string;
  pointer: string;
}

/** Every entry whose name an earlier one has taken, with that earlier one. */
export function findTwins(entries: readonly Named[]): { entry: Named; earlier: Named }[] {
  const first = new Map<string, Named>();
  const twins: { entry: Named; earlier: Named }[] = [];
  for (const entry of entries) {
    const earlier = first.get(entry.name);
    if (earlier === undefined) first.set(entry.name, entry);
    else twins.push({ entry, earlier });
  }
  return twins;
}

/** The members of a list that have a text under `key`, with their pointers. */
export function namesOf<Key extends string>(
  items: readonly (Partial<Record<Key, unknown>> | undefined)[] | undefined,
  key: Key,
  pointer: string,
): Named[] {
  return (items ?? []).flatMap((item, index) => {
    const name = item?.[key];
    return typeof name === 'string' ? [{ name, pointer: `${pointer}/${index}/${key}` }] : [];
  });
}
