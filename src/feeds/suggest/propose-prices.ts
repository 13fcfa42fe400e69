import { columnsBeside, MARK_NAMES, CURRENCY_NAMES, CURRENCY_OF_ROW } from '../mapping/mappers/beside.ts';
import { currencyOf } from '../mapping/fields/currency.ts';
import { isNeverPublished } from '../profile/never-published.ts';
import { aliasKey } from './aliases.ts';
import type { ColumnSketch } from './column-sketch.ts';
import type { FoundColumns } from './columns.ts';
import type { ProposalDraft } from './proposal-draft.ts';

/**
 * The asking price from every column that bears one of its names, the first that is filled counts; the sticker price
 * from one. Amounts beside which it stands what they are (`<Price kind="asking">`) are chosen by that word.
 */
export function proposePrices(draft: ProposalDraft): void {
  const found = draft.candidates('list_price');
  for (const each of found) draft.columns.take(each);
  const names = found.flatMap((each) => priceNames(draft, each));
  if (names.length > 0) draft.map.list_price = withCurrency(draft, found, oneOrAll(names));
  if (draft.has('msrp')) return;
  const sticker = draft.takeFirst(draft.candidates('msrp'));
  if (sticker !== undefined) draft.map.msrp = sticker.name;
}

/** The column as a profile names it; none where it cannot be told which of its amounts is the asking price. */
function priceNames(draft: ProposalDraft, found: FoundColumns): string[] {
  const [sketch] = found.sketches;
  const mark = sketch === undefined ? undefined : markBeside(draft, sketch);
  if (sketch === undefined || mark === undefined) {
    if (sketch === undefined || sketch.differing === 0) return [found.name];
    draft.withheld.add(sketch);
    draft.ask(
      'list_price',
      `"${found.name}" stands several times in a vehicle with different amounts, and nothing says which of them is ` +
        'the asking price: none is taken. Have the export give that one in an element of its own.',
    );
    return [];
  }
  draft.withheld.add(sketch);
  draft.columns.take({ name: mark.name, sketches: [mark] });
  const kinds = mark.everyValue();
  draft.secretChoices.push(
    ...kinds.filter(isNeverPublished).map((kind) => choiceName(found.name, mark.name, kind)),
  );
  const open = kinds.filter((kind) => !isNeverPublished(kind));
  const sticker = kindOf(draft, 'msrp', open);
  if (sticker !== undefined) draft.map.msrp ??= choiceName(found.name, mark.name, sticker);
  const asking = kindOf(draft, 'list_price', open);
  if (asking !== undefined) return [choiceName(found.name, mark.name, asking)];
  const isOneKind = kinds.length === 1 && open.length === 1 && sketch.differing === 0;
  const example = choiceName(found.name, mark.name, open[0] ?? '…');
  draft.ask(
    'list_price',
    `"${mark.name}" says what the amounts in "${found.name}" are: ${kinds.map((kind) => `"${kind}"`).join(', ')}. ` +
      (isOneKind
        ? 'Is that the asking price?'
        : `None of them is taken. Which is the asking price? Write it as list_price: '${example}'.`),
  );
  return isOneKind ? [found.name] : [];
}

/** An attribute of the amount; an element beside it only where there are several amounts to tell apart. */
function markBeside(draft: ProposalDraft, sketch: ColumnSketch): ColumnSketch | undefined {
  const { inTree } = columnsBeside(sketch.name, MARK_NAMES);
  const ownAttributes = inTree.filter((name) => name.startsWith(`${sketch.name}/`));
  return draft.columns.findNamed(sketch.differing > 0 ? inTree : ownAttributes);
}

/** The kind whose word is a known name of the field, the preferred one first: `internet` as `internet price`, too. */
function kindOf(
  draft: ProposalDraft,
  field: 'list_price' | 'msrp',
  kinds: readonly string[],
): string | undefined {
  return draft.aliases
    .of(field)
    .map(({ matches }) => kinds.find((kind) => matches(aliasKey(kind)) || matches(aliasKey(`${kind} price`))))
    .find((kind) => kind !== undefined);
}

/** `Prices/Price[@kind=asking]`, or `Price[Kind=asking]/Amount`. */
function choiceName(column: string, mark: string, kind: string): string {
  const isAttribute = mark.startsWith(`${column}/`);
  const parent = isAttribute ? column : column.slice(0, column.lastIndexOf('/'));
  return `${parent}[${mark.slice(parent.length + 1)}=${kind}]${column.slice(parent.length)}`;
}

function withCurrency(
  draft: ProposalDraft,
  found: readonly FoundColumns[],
  source: string | string[],
): unknown {
  const beside = found.flatMap(({ name }) => {
    const { inTree, inTable } = columnsBeside(name, CURRENCY_NAMES);
    return [...inTree, ...inTable];
  });
  const currency = draft.columns.findNamed([...beside, ...CURRENCY_OF_ROW]);
  if (currency === undefined) return source;
  draft.columns.take({ name: currency.name, sketches: [currency] });
  const others = currency.everyValue().filter((value) => currencyOf(value) !== 'dollars');
  if (others.length === 0) return source;
  draft.askAbout(
    'list_price',
    currency,
    `"${currency.name}" names another currency than US dollars: such prices are left out. Is that right?`,
  );
  return others.every((value) => currencyOf(value) === 'foreign') && found.length === 1
    ? { column: source, currency: currency.name }
    : source;
}

function oneOrAll(names: string[]): string | string[] {
  return names.length === 1 ? (names[0] ?? '') : names;
}
