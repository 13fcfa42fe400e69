import { Document, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { WrittenProfile } from '../profile/feed-profile.ts';
import { visibleText } from '../reporting/visible-text.ts';
import type { ColumnSketch } from './column-sketch.ts';
import type { FileSketch } from './file-sketch.ts';
import type { Proposal } from './proposal.ts';
import type { Question } from './proposal-draft.ts';

const MAP_ORDER = [
  ...['dealer_id', 'vehicle_type', 'vin', 'stock', 'vehicle_id', 'year', 'make', 'model', 'trim', 'body'],
  ...[
    'condition',
    'status',
    'list_price',
    'sale_price',
    'msrp',
    'mileage',
    'transmission',
    'driveline',
    'engine',
  ],
];

/** That a profile may write; whatever is longer is not published anyway. */
const LONGEST_COLUMN_NAME = 200;

/** The proposal as a profile that counts. */
export function writtenProfile(fileName: string, sketch: FileSketch, proposal: Proposal): WrittenProfile {
  const { mode, action, decimalMark, map, neverPublished } = proposal;
  const place = (field: string): number => (MAP_ORDER.includes(field) ? MAP_ORDER.indexOf(field) : Infinity);
  const secret = neverPublished.filter(({ length }) => length <= LONGEST_COLUMN_NAME);
  const fields = Object.entries(map).sort(([one], [other]) => Math.sign(place(one) - place(other)) || 0);
  return {
    description: `Proposed by "feed suggest" from ${visibleText(fileName)}. Answer the questions, then take them out.`,
    reader: sketch.reader,
    ...(Object.keys(sketch.options).length === 0 ? {} : { options: sketch.options }),
    mode,
    price_basis: 'base',
    ...(decimalMark === undefined ? {} : { decimal_mark: decimalMark }),
    ...(action === undefined ? {} : { action }),
    map: Object.fromEntries(fields),
    ...(secret.length === 0 ? {} : { never_publish: secret }),
  };
}

/** The profile as YAML, with each question as a comment at the field it concerns. */
export function profileText(profile: WrittenProfile, sketch: FileSketch, proposal: Proposal): string {
  const document = new Document(profile);
  const root = document.contents;
  if (!isMap(root)) return String(document);
  const map = root.get('map');
  const places = [root, map].filter((node) => isMap(node));
  const astray = proposal.questions.filter((question) => !places.some((place) => comment(place, question)));
  const head = [
    ...astray.map((question) => questionText(question)),
    ...(proposal.unknown.length === 0 ? [] : [`Not used: ${proposal.unknown.map(visibleText).join(', ')}`]),
  ];
  if (head.length > 0) commentPair(root, 'map', head);
  if (proposal.neverPublished.length > 0) {
    commentPair(root, 'never_publish', ['These stay inside the dealership: no field may read them.']);
  }
  if (sketch.hasHeader === false) tellSamples(root, sketch.columns);
  return document.toString({ lineWidth: 0 });
}

function comment(place: YAMLMap, question: Question): boolean {
  return place.has(question.field) && commentPair(place, question.field, [questionText(question)]);
}

function commentPair(map: YAMLMap, key: string, lines: readonly string[]): boolean {
  const pair = map.items.find(({ key: name }) => isScalar(name) && name.value === key);
  if (pair === undefined || !isScalar(pair.key)) return false;
  const before = pair.key.commentBefore;
  pair.key.commentBefore = [...(before ? [before] : []), ...lines.map((line) => ` ${line}`)].join('\n');
  return true;
}

/** One line, with the values that were seen. */
function questionText({ question, values }: Question): string {
  if (values.length === 0) return `QUESTION: ${shownWhole(question)}`;
  const seen = values.map(({ value, rows }) => `${visibleText(value)} (${rows})`);
  return `QUESTION: ${shownWhole(question)} Seen: ${seen.join(', ')}`;
}

/** Questions that quote values may be long; each part is made visible by itself. */
function shownWhole(text: string): string {
  return text.split(' ').map(visibleText).join(' ');
}

/** Columns that have no name are known by what stands in them. */
function tellSamples(root: YAMLMap, columns: readonly ColumnSketch[]): void {
  const names = root.getIn(['options', 'columns']);
  if (!isSeq(names)) return;
  for (const [index, item] of names.items.entries()) {
    const values = columns[index]?.values().slice(0, 3) ?? [];
    if (isScalar(item) && values.length > 0)
      item.comment = ` ${values.map(({ value }) => visibleText(value)).join(', ')}`;
  }
}
