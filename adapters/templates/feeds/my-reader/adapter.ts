import { normaliseColumn, type FeedReader, type RawRow, type ReadContext } from 'dealer-bridge/adapter';

/** The settings of options.schema.json, defaults filled in. */
interface Options {
  separator: string;
}

const reader: FeedReader<Options> = {
  async *read(text, { separator }, context) {
    const seen = new Set<string>();
    let block: Block | undefined;
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

/** The lines of one vehicle so far. */
interface Block {
  line: number;
  cells: Map<string, string[]>;
  fault?: string;
}

function addLine(block: Block, content: string, separator: string, seen: Set<string>): void {
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

function rowOf({ line, cells, fault }: Block, row: number): RawRow {
  const rejection = fault === undefined ? {} : { rejection: { code: 'row_not_a_vehicle', detail: fault } };
  return { row, line, cells, ...rejection };
}

/** Chunks end anywhere, in the middle of a line as well. A line without an end must not fill the memory. */
async function* linesOf(
  text: AsyncIterable<string>,
  context: ReadContext,
): AsyncGenerator<{ content: string; number: number }> {
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
