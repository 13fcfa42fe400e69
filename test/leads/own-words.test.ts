import { expect, it } from 'vitest';
import type { AttemptOutcome, CrmAdapter, Delivery } from '../../src/adapters/crm-adapter.ts';
import { attemptDelivery } from '../../src/leads/attempt.ts';
import { toLeadDocument } from '../../src/leads/document.ts';
import { ownWords } from '../../src/leads/own-words.ts';
import { shippedAdapter } from '../crm-adapters/shipped.ts';
import { startHttp, startSmtp, readMail } from './crm-servers.ts';
import { destination, HARBOR, leadRequest, NOON, temporaryFolder } from './lead-harness.ts';

function leadOf(last_name: string, message = 'Is it there?') {
  const request = leadRequest({
    customer: { first_name: 'Ada', last_name, email: 'ada@example.com' },
    message,
  });
  return toLeadDocument(
    { lead_id: 'lead_1', received_at: NOON, rooftop_id: HARBOR.id, request },
    HARBOR,
    false,
  );
}

async function reasonByHttp(last_name: string, body: string): Promise<string> {
  const { url } = await startHttp((_request, response) => response.end(body));
  const { adapter, options } = await shippedAdapter('adf-http', {
    url,
    answer: { rules: [{ json: '/ok', equals: true }, { json: '/parsed' }] },
  });
  const to = { ...destination('crm', adapter), options };
  return (await attemptDelivery(leadOf(last_name), to, temporaryFolder())).verdict.reason;
}

it.each(['Crm', 'Rule', 'Answer', 'Settings'])(
  'a customer named %s is not found in our own words, only in those of the CRM',
  async (name) => {
    expect(await reasonByHttp(name, `{"ok":false,"text":"no ${name} here, Ada"}`)).toBe(
      'the CRM answered 200, but its answer breaks rule 1 of the settings; it says: ok: false, text: no [customer] here, [customer]',
    );
  },
);

it('what cannot be told from the words of the CRM is masked', async () => {
  expect(await reasonByHttp('Settings', '{"ok":true,"text":"Settings"}')).toBe(
    'the CRM answered 200, but its answer breaks rule 2 of the [customer]; it says: ok: true, text: [customer]',
  );
});

it('a customer named Mail is not found in what we say of a mail server', async () => {
  const { port } = await startSmtp({
    onData: (stream, _session, done) =>
      void readMail(stream).then(() =>
        done(Object.assign(new Error('5.7.1 the Mail of Ada is spam'), { responseCode: 554 })),
      ),
  });
  const { adapter, options } = await shippedAdapter('adf-email', {
    smtp: { host: '127.0.0.1', port, security: 'none' },
    from: { address: 'bridge@dealer.example' },
    to: [{ address: 'leads@crm.example' }],
  });
  const to = { ...destination('crm', adapter), options };
  const { verdict } = await attemptDelivery(leadOf('Mail'), to, temporaryFolder());
  expect(verdict).toEqual({
    state: 'rejected',
    reason: 'the mail server refused the mail: 554 5.7.1 the [customer] of [customer] is spam',
  });
});

it('an adapter that throws may quote anything, and what it throws is masked', async () => {
  const breaks: CrmAdapter = {
    check: () => [],
    build: () => {
      throw new Error('no built lead for Ada Built');
    },
    classify: () => ({ state: 'retry', reason: '' }),
  };
  const { verdict } = await attemptDelivery(leadOf('Built'), destination('crm', breaks), temporaryFolder());
  expect(verdict.reason).toBe(
    'the adapter could not build the lead: no [customer] lead for [customer] [customer]',
  );
});

it.each<[string, unknown, string]>([
  ['a promise', 'async', 'build gives a promise; it must answer at once'],
  ['null', null, 'build gives no delivery; its kind must be email, http, file, sftp'],
  ['nothing', undefined, 'build gives no delivery; its kind must be email, http, file, sftp'],
  ['a text', '<adf/>', 'build gives no delivery; its kind must be email, http, file, sftp'],
  [
    'no kind',
    { url: 'https://crm.example' },
    'build gives no delivery; its kind must be email, http, file, sftp',
  ],
  ['half of a request', { kind: 'http', url: 'https://crm.example' }, '[cannot be told]'],
])('an adapter that builds %s says so to its author', async (_, built, words) => {
  const breaks: CrmAdapter = {
    check: () => [],
    build: () => (built === 'async' ? Promise.reject(new Error('Ada')) : built) as Delivery,
    classify: () => ({ state: 'retry', reason: '' }),
  };
  const { verdict } = await attemptDelivery(leadOf('Odd'), destination('crm', breaks), temporaryFolder());
  expect(verdict.state).toBe('retry');
  expect(verdict.reason).toContain(words);
});

it('what an adapter says only of this answer is none of its own words', () => {
  const outcome: AttemptOutcome = { kind: 'http', sent: 'yes', status: 422, body: 'no Ada' };
  const said = (by: (outcome: AttemptOutcome) => string) => ownWords(by(outcome), outcome, by);
  const bodyOf = (one: AttemptOutcome) => (one.kind === 'http' ? (one.body ?? '') : '');
  expect(said((one) => `refused: ${bodyOf(one)}`)).toBe('refused: ');
  expect(said(() => 'refused')).toBe('refused');
  expect(said((one) => bodyOf(one))).toBe('');
  expect(said((one) => `refused:${bodyOf(one)}`)).toBe('');
  // One that reads the answer in a form of its own, such as base64.
  const coded = (one: AttemptOutcome) => `refused ${Buffer.from(bodyOf(one)).toString('base64')}`;
  expect(said(coded)).toBe('refused ');
});

it('a mail that could not be sent says so in our words, whoever it is from', async () => {
  const delivery: Delivery = { kind: 'file', folder: '/dev/null/not-a-folder', name: 'x.xml', content: 'x' };
  const crm: CrmAdapter = {
    check: () => [],
    build: () => delivery,
    classify: ({ error }) => ({ state: 'retry', reason: `the file could not be written: ${error ?? ''}` }),
  };
  const { verdict } = await attemptDelivery(leadOf('File'), destination('crm', crm), temporaryFolder());
  expect(verdict.reason).toMatch(/^the file could not be written: ./);
});
