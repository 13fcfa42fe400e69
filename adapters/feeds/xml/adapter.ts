import type { FeedReader, ReadContext } from '../../../src/adapters/index.ts';
import { XmlDocument } from './document.ts';
import type { XmlOptions } from './options.ts';
import { AmpersandRepair } from './repair.ts';

const xmlReader: FeedReader<XmlOptions> = {
  async *read(text, options, context) {
    const document = new XmlDocument(options, context);
    const repair = options.repair === true ? new AmpersandRepair() : undefined;
    let isXml = false;
    for await (const chunk of text) {
      if (!isXml) {
        const beginning = chunk.trimStart();
        isXml = beginning.startsWith('<');
        if (beginning !== '' && !isXml) {
          context.refuse({
            code: 'not_a_feed',
            detail: 'it is no XML; use a profile whose reader is csv',
            line: 1,
          });
          return;
        }
      }
      document.write(repair?.write(chunk) ?? chunk);
      if (document.isRefused) return;
      for (const row of document.takeRows()) yield row;
    }
    if (!isXml) {
      context.refuse({ code: 'empty_file' });
      return;
    }
    if (repair !== undefined) document.write(repair.end());
    document.close();
    for (const row of document.takeRows()) yield row;
    tellRepairs(repair, context);
  },
};

export default xmlReader;

function tellRepairs(repair: AmpersandRepair | undefined, context: ReadContext): void {
  if (repair === undefined || repair.repairs === 0) return;
  const places = repair.repairs === 1 ? '1 place' : `${repair.repairs} places`;
  context.warn({ code: 'xml_repaired', detail: places });
}
