import { AAP_EXTENSION_URI } from '../../model/protocol.ts';
import { parseJson, valueAt } from '../json-value.ts';
import { allOf, expectThat, noFaults, type Check } from './check.ts';
import { a2aRefusal, refusedWith, served, summary } from './expectations.ts';
import { callWith, type Probe } from './probe.ts';

const OTHER_EXTENSION = 'https://autoagentprotocol.org/extensions/aap/v1.2';

/** HTTP and the A2A headers (A2A sections 3.6, 4.6 and 9.1). */
export const HEADER_CHECKS: readonly Check[] = [
  {
    id: 'VER-01',
    promise: 'A2A-Version 1.0 is served.',
    run: async (probe) => served(await withVersion(probe, '1.0')),
  },
  {
    id: 'VER-01',
    promise: 'A patch number is not looked at: 1.0.1 is 1.0.',
    run: async (probe) => served(await withVersion(probe, '1.0.1')),
  },
  {
    id: 'VER-02',
    promise: 'Another version is refused.',
    run: async (probe) => a2aRefusal(await withVersion(probe, '2.0'), -32009, 'VERSION_NOT_SUPPORTED'),
  },
  {
    id: 'VER-03',
    promise: 'An empty A2A-Version means 0.3 and is refused.',
    run: async (probe) => refusedWith(await withVersion(probe, ''), -32009),
  },
  {
    id: 'VER-04',
    promise: 'A call without A2A-Version is served, or refused as a wrong version.',
    run: async (probe) => {
      const answer = await withVersion(probe, undefined);
      return answer.error === undefined
        ? served(answer)
        : a2aRefusal(answer, -32009, 'VERSION_NOT_SUPPORTED');
    },
  },
  {
    id: 'EXT-01',
    promise: 'The reply names the extension that the call activated, also out of a list.',
    run: async (probe) => {
      const { header } = await withExtensions(probe, `${OTHER_EXTENSION} , ${AAP_EXTENSION_URI}`);
      const echoed = header('a2a-extensions');
      return expectThat(
        echoed === AAP_EXTENSION_URI,
        `A2A-Extensions: ${AAP_EXTENSION_URI}`,
        echoed ?? 'no such header',
      );
    },
  },
  {
    id: 'EXT-03',
    promise: 'The extension is named beside errors, too.',
    run: async (probe) => {
      const answer = await probe.send({ type: 'no.such.request' });
      const echoed = answer.header('a2a-extensions');
      return expectThat(
        echoed === AAP_EXTENSION_URI,
        `A2A-Extensions: ${AAP_EXTENSION_URI}`,
        echoed ?? 'no such header',
      );
    },
  },
  {
    id: 'EXT-05',
    promise: 'A call without the extension is refused exactly when the card requires it.',
    run: async (probe) => {
      const answer = await withExtensions(probe, undefined);
      if (!probe.agent.extensionRequired) return served(answer);
      return a2aRefusal(answer, -32008, 'EXTENSION_SUPPORT_REQUIRED');
    },
  },
  {
    id: 'EXT-04',
    promise: 'Another version of the extension does not activate this one.',
    run: async (probe) => {
      const answer = await withExtensions(probe, OTHER_EXTENSION);
      const echoed = answer.header('a2a-extensions') ?? '';
      return allOf(
        expectThat(echoed.trim() === '', 'no A2A-Extensions in the reply', echoed),
        probe.agent.extensionRequired ? refusedWith(answer, -32008) : served(answer),
      );
    },
  },
  {
    id: 'HTTP-04',
    promise: 'application/json may name its charset.',
    run: async (probe) =>
      served(
        await probe.post(callWith(probe.question), { 'content-type': 'application/json; charset=utf-8' }),
      ),
  },
  {
    id: 'HTTP-03',
    promise: 'Another Content-Type is refused with 415 and a JSON-RPC error.',
    run: async (probe) => {
      const answer = await probe.post(callWith(probe.question), { 'content-type': 'text/plain' });
      return allOf(
        expectThat(answer.status === 415, 'HTTP 415', summary(answer)),
        expectThat(answer.error !== undefined, 'a JSON-RPC error as the body', answer.text),
      );
    },
  },
  {
    id: 'HTTP-02',
    promise: 'GET on the endpoint is refused with 405 and Allow, and no page of HTML.',
    run: async (probe) => {
      const answer = await probe.http(probe.agent.endpoint, { method: 'GET' });
      return allOf(
        expectThat(answer.status === 405, 'HTTP 405', `HTTP ${answer.status}`),
        expectThat(/\bPOST\b/.test(answer.header('allow') ?? ''), 'Allow: POST', answer.header('allow')),
        expectThat(valueAt(parseJson(answer.text), 'error') !== undefined, 'a JSON-RPC error', answer.text),
      );
    },
  },
  {
    id: 'HTTP-01',
    promise: 'What JSON-RPC refuses is answered with HTTP 200: clients drop the body of anything else.',
    run: async (probe) => {
      const answer = await probe.post({ ...callWith(probe.question), method: 'NoSuchMethod' });
      return allOf(
        expectThat(answer.status === 200, 'HTTP 200', summary(answer)),
        expectThat(answer.error !== undefined, 'a JSON-RPC error', summary(answer)),
      );
    },
  },
  {
    id: 'HTTP-07',
    promise: 'Nothing is answered with a page or a stack, and no header tells what the agent is built with.',
    run: async (probe) => {
      const answers = [
        await probe.post('{', { 'content-type': 'application/json; charset=no-such' }),
        await probe.post(callWith(probe.question), { 'content-encoding': 'no-such' }),
      ];
      return noFaults(
        'JSON without a stack',
        answers.flatMap(({ text, header }) => [
          ...(/<html|<!doctype|\n\s+at |node_modules/i.test(text) ? [text] : []),
          ...(header('x-powered-by') === undefined ? [] : [`X-Powered-By: ${header('x-powered-by') ?? ''}`]),
        ]),
      );
    },
  },
  {
    id: 'HTTP-08',
    promise: 'Replies are application/json with HTTP 200.',
    run: async (probe) => {
      const answer = await probe.ask(probe.readingSkill);
      const type = answer.header('content-type') ?? 'none';
      return allOf(
        expectThat(answer.status === 200, 'HTTP 200', summary(answer)),
        expectThat(/^application\/json\b/i.test(type), 'Content-Type application/json', type),
      );
    },
  },
];

function withVersion(probe: Probe, version: string | undefined) {
  return probe.send(probe.question, { headers: { 'a2a-version': version } });
}

function withExtensions(probe: Probe, extensions: string | undefined) {
  return probe.send(probe.question, { headers: { 'a2a-extensions': extensions } });
}
