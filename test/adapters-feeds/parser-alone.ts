import { XmlDocument } from '../../adapters/feeds/xml/document.ts';
import type { XmlOptions } from '../../adapters/feeds/xml/options.ts';
import { TextGate } from '../../adapters/feeds/xml/text-gate.ts';
import type { FeedReader } from '../../src/adapters/index.ts';

/** The XML reader without its quick way: every character goes through saxes, which is the judge of the other. */
export const parserAlone: FeedReader<XmlOptions> = {
  async *read(text, options, context) {
    const document = new XmlDocument(options, context);
    const gate = new TextGate(options.repair === true);
    const pass = (passed: string): void => {
      document.write(passed);
      document.stop(gate.stop);
    };
    for await (const chunk of text) {
      pass(gate.write(chunk));
      yield* document.takeRows();
      if (document.isRefused) return;
    }
    pass(gate.end());
    document.close();
    yield* document.takeRows();
    if (gate.repairs > 0) context.warn({ code: 'xml_repaired', detail: `${gate.repairs} places` });
  },
};
