import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Alert, AlertMemory } from '../../src/model/alert.ts';
import { type Log, silentLog } from '../../src/model/log.ts';
import { alertChannels } from '../../src/runtime/alert-channels.ts';
import { type AlertMessage, alertStep } from '../../src/runtime/alerts.ts';
import { startSmtp } from '../leads/crm-servers.ts';
import { NOON, openStore, setClock } from '../leads/lead-harness.ts';

const MINUTE = 60_000;
const PAUSED: Alert = { key: 'paused:crm', text: 'crm refuses us', remedy: 'Look at the password.' };
const DEAD: Alert = { key: 'dead:7', text: 'lead_7 was given up', remedy: 'Send it again.' };

/** Alerts that stand, a channel that keeps what it is given, and the step between them. */
function openAlerts(memory: AlertMemory = openStore().alerts, log: Log = silentLog) {
  const clock = setClock();
  const sent: AlertMessage[] = [];
  const state = { standing: [] as Alert[], isBroken: false, isPartial: false };
  const channel = {
    name: 'mail',
    send: (message: AlertMessage) => {
      if (state.isBroken) return Promise.reject(new Error('no way out'));
      sent.push(message);
      return Promise.resolve();
    },
  };
  const step = alertStep({
    look: () => Promise.resolve({ alerts: state.standing, isPartial: state.isPartial }),
    channels: [channel],
    memory,
    from: 'Harbor Point Motors',
    clock,
    log,
  });
  const minutes = async (number: number, standing: Alert[] = state.standing) => {
    state.standing = standing;
    for (let minute = 0; minute < number; minute += 1) {
      clock.time += MINUTE;
      await step();
    }
  };
  const told = () =>
    sent.map(({ raised, resolved }) => [raised, resolved].map((list) => list.map(({ key }) => key)));
  return { state, sent, told, minutes, clock };
}

it('tells once when something begins and once when it is over', async () => {
  const { minutes, told, sent } = openAlerts();
  await minutes(3, []);
  await minutes(60, [PAUSED]);
  await minutes(60, [{ ...PAUSED, text: 'the count in the text has changed' }]);
  await minutes(60, []);
  expect(told()).toEqual([
    [['paused:crm'], []],
    [[], ['paused:crm']],
  ]);
  expect(sent[0]).toMatchObject({ from: 'Harbor Point Motors', sentAt: '2026-11-30T12:04:00.000Z' });
  expect(sent[1]?.resolved).toEqual([{ key: 'paused:crm', text: 'crm refuses us' }]);
});

it('sends one message for all that comes within five minutes of another', async () => {
  const { minutes, told } = openAlerts();
  await minutes(1, [PAUSED]);
  const many = Array.from({ length: 20 }, (_, index) => ({ ...DEAD, key: `dead:${index}` }));
  for (let count = 1; count <= 4; count += 1) await minutes(1, [PAUSED, ...many.slice(0, count * 5)]);
  expect(told()).toHaveLength(1);
  await minutes(1);
  expect(told()).toEqual([
    [['paused:crm'], []],
    [many.map(({ key }) => key), []],
  ]);
});

it('says nothing a second time after a restart, and knows what it has to end', async () => {
  const memory = openStore().alerts;
  await openAlerts(memory).minutes(1, [PAUSED, DEAD]);
  const after = openAlerts(memory);
  await after.minutes(30, [PAUSED]);
  expect(after.told()).toEqual([[[], ['dead:7']]]);
});

it('goes on trying a channel that fails, says so in the log once, and tells what stands then', async () => {
  const lines: string[] = [];
  const keep = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`);
  const log = { ...silentLog, info: keep('info'), error: keep('error') };
  const { state, minutes, told } = openAlerts(openStore().alerts, log);
  state.isBroken = true;
  await minutes(10, [PAUSED, DEAD]);
  await minutes(10, [DEAD]);
  expect(lines).toEqual(['error: alerts cannot be sent; tried again every minute']);
  state.isBroken = false;
  await minutes(10);
  expect(told()).toEqual([[['dead:7'], []]]);
  expect(lines.slice(1)).toEqual(['info: alerts can be sent again', 'info: alerts sent']);
});

it('is not silenced by a clock that is set back', async () => {
  const { minutes, told, clock } = openAlerts();
  await minutes(1, [PAUSED]);
  clock.time = NOON - 365 * 24 * 60 * MINUTE;
  await minutes(1, [PAUSED, DEAD]);
  expect(told()).toHaveLength(2);
});

describe('a channel', () => {
  const message: AlertMessage = {
    from: 'Harbor Point\r\nBcc: thief@evil.example',
    raised: [PAUSED],
    resolved: [DEAD],
    sentAt: '2026-11-30T12:00:00.000Z',
  };

  it('writes a mail that a person understands', async () => {
    const { port, received } = await startSmtp();
    const [mail] = alertChannels({
      mail: {
        host: '127.0.0.1',
        port,
        security: 'none',
        from: 'bridge@dealer.example',
        to: ['it@dealer.example', 'boss@dealer.example'],
      },
    });
    await mail!.send(message);
    expect(received).toHaveLength(1);
    expect(received[0]?.recipients).toEqual(['it@dealer.example', 'boss@dealer.example']);
    const parsed = received[0]!.mail;
    expect(parsed.subject).toBe('[dealer-bridge] ALERT: 1 trouble at Harbor Point Bcc: thief@evil.example');
    expect(parsed.text).toContain(
      'What needs a person:\n- crm refuses us\n  Look at the password.\n\nWhat is over:\n- lead_7 was given up\n',
    );
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
  });

  it('posts JSON with its token, and fails when the other side does', async () => {
    const requests: { authorization: string | undefined; body: unknown }[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        requests.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
        response.writeHead(status).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const [webhook] = alertChannels({ webhook: { url, token: 'secret' } });
    await webhook!.send(message);
    expect(requests[0]).toMatchObject({
      authorization: 'Bearer secret',
      body: {
        raised: [PAUSED],
        resolved: [{ key: 'dead:7' }],
        text: expect.stringContaining('crm refuses us'),
      },
    });
    status = 500;
    await expect(webhook!.send(message)).rejects.toThrow('the webhook answered with status 500');
  });
});

it('ends nothing while not everything can be looked at', async () => {
  const { state, minutes, told } = openAlerts();
  await minutes(1, [PAUSED]);
  state.isPartial = true;
  await minutes(10, [DEAD]);
  state.isPartial = false;
  await minutes(10, [DEAD]);
  expect(told()).toEqual([
    [['paused:crm'], []],
    [['dead:7'], []],
    [[], ['paused:crm']],
  ]);
});
