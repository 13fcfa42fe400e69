import type { FoundColumns } from './columns.ts';
import { dateOrder } from './date-order.ts';
import type { ProposalDraft } from './proposal-draft.ts';

/**
 * Where the export has dates of a sale price, that price counts within them only. Without such columns a sale price is a
 * list price like any other.
 */
export function proposeSalePrice(draft: ProposalDraft): void {
  const { columns, aliases } = draft;
  const [during] = columns.find(aliases.aside('sale_during'));
  const [from] = columns.find(aliases.aside('sale_from'));
  const [until] = columns.find(aliases.aside('sale_until'));
  const dates = during === undefined ? { from, until } : { during };
  const found = Object.entries(dates).flatMap(([key, column]) =>
    column === undefined ? [] : [{ key, column }],
  );
  const prices = columns.find(aliases.aside('sale_price'));
  const [price] = prices;
  if (price === undefined || found.length === 0) return;
  for (const each of [...prices, ...found.map(({ column }) => column)]) columns.take(each);
  const names = prices.map(({ name }) => name);
  draft.map.sale_price = {
    column: names.length === 1 ? price.name : names,
    ...Object.fromEntries(found.map(({ key, column }) => [key, column.name])),
    ...formatOf(found.map(({ column }) => column)),
  };
  const told = names.map((name) => `"${name}"`).join(' and ');
  const between = found.map(({ column }) => `"${column.name}"`).join(' and ');
  draft.askAbout(
    'sale_price',
    found[0]?.column.sketches[0],
    `${told} counts within the dates of ${between} only. Are these its dates?`,
  );
}

/** Of the first whose values are dates in one way only; the others are written as it is. */
function formatOf(found: readonly FoundColumns[]): { format?: string } {
  for (const { sketches } of found) {
    const [sketch] = sketches;
    const order = sketch === undefined ? undefined : dateOrder(sketch);
    if (order?.kind === 'format') return { format: order.format };
    if (order?.kind === 'ambiguous' && order.format.startsWith('DD')) return { format: order.format };
  }
  return {};
}
