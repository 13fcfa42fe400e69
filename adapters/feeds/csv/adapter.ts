import type { FeedReader } from '../../../src/adapters/index.ts';
import { CsvFile } from './csv-file.ts';
import type { CsvOptions } from './dialect.ts';
import { readFileStart } from './file-start.ts';
import { SourceText } from './source-text.ts';

const csvReader: FeedReader<CsvOptions> = {
  async *read(text, options, context) {
    const source = new SourceText();
    // A record that is longer is an unclosed quote or no row at all: the most that is ever kept in memory.
    const { maxColumns, maxRowCharacters } = context.limits;
    let file: CsvFile | undefined;
    for await (const chunk of withEnd(text)) {
      if (chunk === undefined) source.isWhole = true;
      else source.append(chunk);
      if (file === undefined) {
        const start = readFileStart(source, options, { maxColumns, maxRowCharacters });
        if (start.kind === 'needs-more-text') continue;
        if (start.kind === 'refused') {
          context.refuse({ ...start.note, line: start.line });
          return;
        }
        file = new CsvFile(source, start, options, context);
      }
      for (const row of file.readRows()) yield row;
      if (file.isRefused) return;
    }
    file?.judgeEnd();
  },
};

export default csvReader;

/** The chunks, and undefined where the file ends. */
async function* withEnd(text: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  yield* text;
  yield undefined;
}
