import type { FeedReader, ReadContext } from '../../../src/adapters/index.ts';
import { CsvFile } from './csv-file.ts';
import type { CsvOptions } from './dialect.ts';
import { readFileStart } from './file-start.ts';
import { SourceText } from './source-text.ts';

/**
 * A record may hold several long values; one that is longer than this is an unclosed quote or no row at all, and
 * the most that is ever kept in memory.
 */
const LONGEST_RECORD_IN_CELLS = 4;

const csvReader: FeedReader<CsvOptions> = {
  async *read(text, options, context) {
    const source = new SourceText();
    const maxRecordCharacters = context.limits.maxCellCharacters * LONGEST_RECORD_IN_CELLS;
    let file: CsvFile | undefined;
    for await (const chunk of withEnd(text)) {
      if (chunk === undefined) source.isWhole = true;
      else source.append(chunk);
      if (file === undefined) {
        const start = readFileStart(source, options, maxRecordCharacters);
        if (start.kind === 'needs-more-text') continue;
        if (start.kind === 'refused') {
          context.refuse({ ...start.note, line: start.line });
          return;
        }
        if (!acceptColumns(start.header.width, start.line, context)) return;
        file = new CsvFile(source, start, options, context, maxRecordCharacters);
      }
      for (const row of file.readRows()) yield row;
      if (file.isRefused) return;
    }
  },
};

export default csvReader;

/** The chunks, and undefined where the file ends. */
async function* withEnd(text: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  yield* text;
  yield undefined;
}

function acceptColumns(columns: number, line: number, context: ReadContext): boolean {
  const { maxColumns } = context.limits;
  if (columns <= maxColumns) return true;
  context.refuse({ code: 'too_many_columns', detail: `${columns} columns, at most ${maxColumns}`, line });
  return false;
}
