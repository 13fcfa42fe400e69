// @ts-check
import { normaliseColumn } from 'dealer-bridge/adapter';

/**
 * The settings of options.schema.json, defaults filled in.
 * @typedef {{ separator: string }} Options
 * The lines of one vehicle so far.
 * @typedef {{ line: number, cells: Map<string, string[]>, fault?: string }} Block
 */

/** @type {import('dealer-bridge/adapter').FeedReader<Options>} */
const reader = {
  async *read(text, { separator }, context) {
    /** @type {Set<string>} */
    const seen = new Set();
    /** @type {Block | undefined} */
    let block;
    let row = 0;
    for await (const { content, number } of linesOf(text, context)) {
      if (content.trim() !== '') {
        block ??= { line: number, cells: new Map() };
        addLine(block, content, separator, seen);
      } else if (block !== undefined) {
        yield rowOf(block, ++row);
        block = undefined;
      }
    }
    if (block !== undefined) yield rowOf(block, ++row);
    context.describe({ columns: [...seen] });
    if (row === 0) context.refuse({ code: 'no_rows' });
  },
};
export default reader;

/**
 * @param {Block} block
 * @param {string} content
 * @param {string} separator
 * @param {Set<string>} seen
 */
function addLine(block, content, separator, seen) {
  const at = content.indexOf(separator);
  if (at === -1) {
    block.fault ??= `no "${separator}" in a line`;
    return;
  }
  const name = content.slice(0, at).trim();
  seen.add(name);
  // The value stays the text it is: 00417 is no number.
  block.cells.set(normaliseColumn(name), [content.slice(at + separator.length).trim()]);
}

/**
 * @param {Block} block
 * @param {number} row
 * @returns {import('dealer-bridge/adapter').RawRow}
 */
function rowOf({ line, cells, fault }, row) {
  const rejection = fault === undefined ? {} : { rejection: { code: 'row_not_a_vehicle', detail: fault } };
  return { row, line, cells, ...rejection };
}

/**
 * Chunks end anywhere, in the middle of a line as well. A line without an end must not fill the memory.
 * @param {AsyncIterable<string>} text
 * @param {import('dealer-bridge/adapter').ReadContext} context
 */
async function* linesOf(text, context) {
  let rest = '';
  let number = 0;
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield { content: line.replace(/\r$/, ''), number: ++number };
    if (rest.length > context.limits.maxCellCharacters) {
      context.refuse({ code: 'row_too_large', line: number + 1 });
      return;
    }
  }
  if (rest !== '') yield { content: rest.replace(/\r$/, ''), number: number + 1 };
}
