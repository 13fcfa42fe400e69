import { TERM_FIELDS, type TermField } from './fields.ts';
import type { TermColumnData } from './term-column.ts';

/**
 * Columns that are counted together: a row holds one code for what it has in all of them. The columns of a lot say much
 * the same (a model has one make, few trims and one or two bodies), so few of the possible combinations occur, and
 * sixteen facets take three to five walks through the selected rows instead of sixteen. Two bytes a row each.
 */
export interface JointColumn {
  readonly fields: readonly TermField[];
  /** Joint code of each row. */
  readonly codes: Uint16Array;
  /** For each of the fields the code in its own column that each joint code stands for. */
  readonly members: readonly Uint32Array[];
}

/** With more the counts of a walk no longer lie in the fastest memory. */
const MOST_CODES = 4096;
/** What is joined has to be taken apart again, one step a code and column, which must be little beside the rows. */
const FEWEST_ROWS_PER_CODE = 16;

type TermColumns = Readonly<Record<TermField, TermColumnData>>;

/**
 * Each column, the one of most values first, goes to those with which it makes the fewest combinations. One that
 * would make too many with any stands alone; one that has too many itself is in no joint column.
 */
export function joinColumns(columns: TermColumns, rowCount: number): JointColumn[] {
  const most = Math.min(MOST_CODES, Math.ceil(rowCount / FEWEST_ROWS_PER_CODE) + 256);
  const joints: JointColumn[] = [];
  const widest = TERM_FIELDS.toSorted((one, other) => widthOf(columns, other) - widthOf(columns, one));
  for (const field of widest) {
    if (widthOf(columns, field) > MOST_CODES) continue;
    let best: { place: number; joint: JointColumn } | undefined;
    for (const [place, joint] of joints.entries()) {
      const joined = join(
        joint,
        field,
        columns[field],
        Math.min(most, best ? codeCount(best.joint) - 1 : most),
      );
      if (joined !== undefined) best = { place, joint: joined };
    }
    if (best === undefined) joints.push(alone(field, columns[field]));
    else joints[best.place] = best.joint;
  }
  return joints;
}

export function codeCount({ members }: JointColumn): number {
  return members[0]?.length ?? 0;
}

function widthOf(columns: TermColumns, field: TermField): number {
  return columns[field].totals.length;
}

function alone(field: TermField, column: TermColumnData): JointColumn {
  return {
    fields: [field],
    codes: Uint16Array.from(column.codes),
    members: [Uint32Array.from(column.totals, (_, code) => code)],
  };
}

/** Undefined when it would have more codes than that. */
function join(
  joint: JointColumn,
  field: TermField,
  { codes: ownCodes, totals }: TermColumnData,
  most: number,
): JointColumn | undefined {
  const width = totals.length;
  /** Counted from 1; 0 = not seen yet. */
  const codeOfPair = new Uint16Array(codeCount(joint) * width);
  const pairs: number[] = [];
  const codes = new Uint16Array(joint.codes.length);
  for (let row = 0; row < codes.length; row++) {
    const pair = (joint.codes[row] ?? 0) * width + (ownCodes[row] ?? 0);
    let code = codeOfPair[pair] ?? 0;
    if (code === 0) {
      if (pairs.length === most) return undefined;
      code = pairs.push(pair);
      codeOfPair[pair] = code;
    }
    codes[row] = code - 1;
  }
  const before = Uint32Array.from(pairs, (pair) => Math.floor(pair / width));
  return {
    fields: [...joint.fields, field],
    codes,
    members: [
      ...joint.members.map((member) => before.map((code) => member[code] ?? 0)),
      Uint32Array.from(pairs, (pair) => pair % width),
    ],
  };
}

/**
 * How many of the rows have each value of each of the joint's columns, in the order of its fields, by code.
 * @param widths how many codes each column has
 */
export function countJoint(joint: JointColumn, rows: Uint32Array, widths: readonly number[]): Uint32Array[] {
  const jointCounts = Reflect.apply(countCodes, undefined, [joint.codes, rows, codeCount(joint)]);
  return joint.members.map((member, index) =>
    Reflect.apply(takeApart, undefined, [jointCounts, member, widths[index] ?? 0]),
  );
}

/**
 * The loops in which facets spend their time. They only ever see these kinds of arrays. They are called by Reflect.apply,
 * which keeps them out of the caller's code: moved into it by the engine's middle compiler (Maglev of Node 24) they took
 * three times as long, even after thousands of calls, and so does `for of` over the rows.
 */
function countCodes(codes: Uint16Array, rows: Uint32Array, width: number): Uint32Array {
  const counts = new Uint32Array(width);
  const { length } = rows;
  for (let place = 0; place < length; place++) {
    const code = codes[rows[place] ?? 0] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

function takeApart(jointCounts: Uint32Array, member: Uint32Array, width: number): Uint32Array {
  const counts = new Uint32Array(width);
  for (let code = 0; code < jointCounts.length; code++) {
    const own = member[code] ?? 0;
    counts[own] = (counts[own] ?? 0) + (jointCounts[code] ?? 0);
  }
  return counts;
}
