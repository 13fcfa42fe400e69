import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { expect, it, onTestFinished } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';
import { BridgeProcess, eventually } from '../e2e/bridge-process.ts';
import { startHttp } from '../leads/crm-servers.ts';
import { runCommand } from '../cli/run-command.ts';

/** What must be in no file of the archive: of customers, of agents, of the settings. */
const CUSTOMERS = [
  'Xanthippe',
  'Quackenbush',
  'xanthippe.q',
  '4155559876',
  '415-555-9876',
  'snow tires for my aunt',
];
const SECRETS = {
  fromEnvironment: 'env-secret "quoted" 4711',
  fromFile: 'file-secret-4712',
  literal: 'literal-secret-4713',
  inAddress: 'address-secret-4714',
  inComment: 'comment-secret-4715',
  webhook: 'T0000/B0000/hook-secret-4716',
  token: 'agent-token-4717-of-a-buyer',
};

it('puts neither customers nor secrets into the archive, while everything goes wrong', async () => {
  // A CRM that says everything back, in the way of many an error page.
  const crm = await startHttp(({ body, headers, url }, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(`cannot store: ${JSON.stringify(headers)} ${url} ${body}`);
  });
  const configFile = writeDealership(
    `    - id: crm
      adapter: adf-http
      options:
        url: "${crm.url}/leads?key=${SECRETS.inAddress}"
        auth: { kind: bearer, token: "\${env:CRM_TOKEN}" }
        headers: { X-Api-Key: "${SECRETS.literal}" }
        signature: { header: X-Sig, secret: "\${file:secret.txt}" }
    - { id: pick-up, adapter: adf-file, options: { folder: outgoing, name: "{lead_id}.xml" } }`,
  );
  const hash = createHash('sha256').update(SECRETS.token).digest('hex');
  const more = `
# The old password was ${SECRETS.inComment}
access: { tokens: [{ name: buyer, hash: "sha256:${hash}" }] }
alerts: { undelivered_after_minutes: 1, webhook: { url: "${crm.url}/services/${SECRETS.webhook}" } }
`;
  writeFileSync(configFile, readFileSync(configFile, 'utf8') + more);
  writeFileSync(join(dirname(configFile), 'secret.txt'), `${SECRETS.fromFile}\n`);
  const environment = { CRM_TOKEN: SECRETS.fromEnvironment };
  const bridge = new BridgeProcess({ configFile, environment });
  onTestFinished(() => bridge.dispose());
  await bridge.start();
  const sent = await bridge.ask(
    leadRequest({
      customer: {
        first_name: 'Xanthippe',
        last_name: 'Quackenbush',
        email: 'xanthippe.q@example.com',
        phone: '+14155559876',
      },
      message: 'Do you have snow tires for my aunt? Call 415-555-9876.',
    }),
  );
  const leadId = String(sent.result?.message.parts[0]?.data.data.lead_id);
  await eventually('the lead was tried', async () =>
    (await bridge.log()).includes('"stage":"http"') ? true : undefined,
  );
  await eventually('the other delivery is done', () =>
    existsSync(bridge.path('outgoing', `${leadId}.xml`)) ? true : undefined,
  );

  const archive = join(dirname(configFile), 'support.zip');
  const port = (url: string) => new URL(url).port;
  const words = ['--config', configFile, '--data', bridge.dataFolder];
  const ports = ['--port', port(bridge.url), '--admin-port', port(bridge.adminUrl)];
  const doctor = await runBridge(['doctor', ...words, ...ports, '--out', archive], { env: environment });
  expect(doctor).toMatchObject({ code: 0, err: '' });
  expect(doctor.out).toContain('Open it and look before you send it.');
  expect(statSync(archive).mode & 0o077).toBe(0);
  const files = await unzip(archive);
  expect([...files.keys()]).toEqual([
    'contents.txt',
    'check.txt',
    'check.json',
    'versions.json',
    'settings.yaml',
    'log.txt',
    'databases.json',
    'runs.json',
    'folders.txt',
    'health.json',
  ]);
  for (const name of files.keys()) if (name !== 'contents.txt') expect(doctor.out).toContain(`  ${name} `);

  // What helps is in it.
  expect(files.get('log.txt')).toContain(leadId);
  expect(JSON.parse(files.get('databases.json') ?? '')).toMatchObject({
    'leads.db': { rows: { leads: 1, deliveries: 2 } },
  });
  expect(JSON.parse(files.get('health.json') ?? '')).toMatchObject({ leads: { queued: 1 } });
  expect(JSON.parse(files.get('check.json') ?? '')).toMatchObject({ status: expect.any(String) as string });
  expect(files.get('check.txt')).toContain('is that of the bridge that runs');
  expect(files.get('settings.yaml')).toContain('adapter: adf-http');
  expect(files.get('settings.yaml')).toContain('${env:CRM_TOKEN}');
  expect(files.get('folders.txt')).toMatch(/outgoing\n.*1 entries, \d+ bytes; names left out/);

  // And what is nobody's business is not.
  const forbidden = [
    ...CUSTOMERS,
    ...Object.values(SECRETS),
    JSON.stringify(SECRETS.fromEnvironment).slice(1, -1),
    hash,
  ];
  for (const [name, text] of files) {
    for (const word of forbidden) expect(`${name}: ${text}`).not.toContain(word);
    expect(text).not.toMatch(/[\w.]+@[\w.]+\.(?:com|example)/);
  }
  expect(readFileSync(archive).includes(Buffer.from('Quackenbush'))).toBe(false);
  // The lead itself holds all of that.
  expect(readFileSync(bridge.path('outgoing', `${leadId}.xml`), 'utf8')).toContain('Quackenbush');
});

it('helps with settings that do not load, and leaves out what it cannot judge', async () => {
  const configFile = writeDealership(
    '    - { id: crm, adapter: adf-fil, options: { password: literal-secret-4713 } }',
  );
  const folder = dirname(configFile);
  const words = ['--config', configFile, '--data', join(folder, 'data')];
  const first = join(folder, 'first.zip');
  expect(await runCommand(['doctor', ...words, '--out', first])).toMatchObject({ code: 0 });
  const files = await unzip(first);
  expect(files.get('check.txt')).toContain('no adapter "adf-fil"');
  expect(files.get('settings.yaml')).toContain('password: "[removed]"');
  expect([...files.values()].join('')).not.toContain('literal-secret-4713');

  writeFileSync(configFile, 'dealer: [\n password: literal-secret-4713 }');
  const second = join(folder, 'second.zip');
  expect(await runCommand(['doctor', ...words, '--out', second])).toMatchObject({ code: 0 });
  const broken = await unzip(second);
  expect(broken.get('settings.yaml')).toBe('# Left out: it cannot be read as YAML, see check.txt.\n');
  expect([...broken.values()].join('')).not.toContain('literal-secret-4713');

  const again = await runCommand(['doctor', ...words, '--out', second]);
  expect(again).toMatchObject({ code: 3, out: '' });
  expect(again.err).toContain('is there already; name another file with --out.');
});

async function unzip(file: string): Promise<Map<string, string>> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(readFileSync(file), { lazyEntries: true }, (fault, opened) =>
      fault ? reject(fault) : resolve(opened),
    );
  });
  const files = new Map<string, string>();
  const read = async (entry: Entry): Promise<void> => {
    const chunks: Buffer[] = [];
    const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
      zip.openReadStream(entry, (fault, opened) => (fault ? reject(fault) : resolve(opened)));
    });
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    files.set(entry.fileName, Buffer.concat(chunks).toString('utf8'));
  };
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) => void read(entry).then(() => zip.readEntry(), reject));
    zip.on('end', resolve);
    zip.readEntry();
  });
  return files;
}
