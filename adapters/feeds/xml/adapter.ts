import type { FeedReader } from '../../../src/adapters/index.ts';
import { XmlDocument } from './document.ts';
import { FeedText } from './feed-text.ts';
import type { XmlOptions } from './options.ts';
import { TextGate } from './text-gate.ts';

const xmlReader: FeedReader<XmlOptions> = {
  async *read(text, options, context) {
    const document = new XmlDocument(options, context);
    const gate = new TextGate(options.repair === true);
    const feedText = new FeedText(gate, document, context);
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
      feedText.write(chunk);
      for (const row of document.takeRows()) yield row;
      if (document.isRefused) return;
    }
    if (!isXml) {
      context.refuse({ code: 'empty_file' });
      return;
    }
    feedText.end();
    for (const row of document.takeRows()) yield row;
    if (gate.repairs > 0) context.warn({ code: 'xml_repaired', detail: `${gate.repairs} places` });
  },
};

export default xmlReader;
