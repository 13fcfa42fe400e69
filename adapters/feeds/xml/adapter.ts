import type { FeedReader } from '../../../src/adapters/index.ts';
import { XmlDocument } from './document.ts';
import type { XmlOptions } from './options.ts';
import { TextGate } from './text-gate.ts';

const xmlReader: FeedReader<XmlOptions> = {
  async *read(text, options, context) {
    const document = new XmlDocument(options, context);
    const gate = new TextGate(options.repair === true);
    let isXml = false;
    for await (const chunk of text) {
      isXml ||= chunk.trimStart().startsWith('<');
      if (!isXml && chunk.trim() !== '') {
        context.refuse({
          code: 'not_a_feed',
          detail: 'it is no XML; use a profile whose reader is csv',
          line: 1,
        });
        return;
      }
      document.write(gate.write(chunk));
      document.stop(gate.stop);
      for (const row of document.takeRows()) yield row;
      if (document.isRefused) return;
    }
    if (!isXml) {
      context.refuse({ code: 'empty_file' });
      return;
    }
    document.write(gate.end());
    document.stop(gate.stop);
    document.close();
    for (const row of document.takeRows()) yield row;
    if (gate.repairs > 0) context.warn({ code: 'xml_repaired', detail: `${gate.repairs} places` });
  },
};

export default xmlReader;
