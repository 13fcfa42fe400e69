import { expect, it } from 'vitest';
import type { HttpDelivery } from '../../src/adapters/crm-adapter.ts';
import { deliverHttp } from '../../src/leads/delivery/http.ts';
import { closedPort, startHttp, startSocket } from './crm-servers.ts';

function post(url: string, changes: Partial<HttpDelivery> = {}): HttpDelivery {
  return {
    kind: 'http',
    method: 'POST',
    url,
    headers: { 'content-type': 'application/xml' },
    body: '<adf>é</adf>',
    timeoutMs: 10_000,
    ...changes,
  };
}

it('posts the exact bytes and brings back status, headers and body', async () => {
  const { url, received } = await startHttp((_request, response) => {
    response.setHeader('x-lead', 'crm-7');
    response.end('{"ok":true}');
  });
  const outcome = await deliverHttp(post(`${url}/leads?token=t`));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200, body: '{"ok":true}' });
  expect(outcome.headers?.['x-lead']).toBe('crm-7');
  expect(received[0]).toMatchObject({ method: 'POST', url: '/leads?token=t', body: '<adf>é</adf>' });
  expect(received[0]?.headers['content-length']).toBe('13');
});

it('uses a fresh connection for each attempt', async () => {
  const ports: (number | undefined)[] = [];
  const { url } = await startHttp((_request, response) => {
    ports.push(response.socket?.remotePort);
    response.end();
  });
  await deliverHttp(post(url));
  await deliverHttp(post(url));
  expect(new Set(ports).size).toBe(2);
});

it('follows no redirect', async () => {
  const { url, received } = await startHttp((_request, response) => {
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  expect(await deliverHttp(post(url))).toMatchObject({ sent: 'yes', status: 307 });
  expect(received).toHaveLength(1);
});

it('keeps 64 KB of an answer that has no end', async () => {
  const { url } = await startHttp((_request, response) => {
    const more = () => {
      while (response.writable && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  const outcome = await deliverHttp(post(url));
  expect(outcome).toMatchObject({ sent: 'yes', status: 200 });
  expect(outcome.body).toHaveLength(65_536);
});

it('keeps the status when the body breaks off', async () => {
  const { url } = await startHttp((_request, response) => {
    response.writeHead(201, { 'content-length': '1000' });
    response.write('half', () => response.destroy());
  });
  expect(await deliverHttp(post(url))).toMatchObject({ sent: 'yes', status: 201, body: 'half' });
});

it('knows that a server that is not there has nothing', async () => {
  const outcome = await deliverHttp(post(`http://127.0.0.1:${await closedPort()}`));
  expect(outcome).toMatchObject({ sent: 'no' });
  expect(outcome.error).toContain('ECONNREFUSED');
});

it('cannot know what became of a lead that was never answered', async () => {
  const silent = await startHttp(() => undefined);
  expect(await deliverHttp(post(silent.url, { timeoutMs: 300 }))).toMatchObject({
    sent: 'maybe',
    error: 'no answer within 300 ms',
  });
  const hangsUp = await startHttp((_request, response) => response.destroy());
  expect(await deliverHttp(post(hangsUp.url))).toMatchObject({ sent: 'maybe' });
});

it('leaves an answer that drips for ever', async () => {
  const port = await startSocket((socket) => {
    const drip = setInterval(() => socket.write('H'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const outcome = await deliverHttp(post(`http://127.0.0.1:${port}`, { timeoutMs: 300 }));
  expect(outcome.sent).toBe('maybe');
});

it('turns settings that make no request into an outcome', async () => {
  expect(await deliverHttp(post('not a url'))).toMatchObject({ sent: 'no' });
  expect(await deliverHttp(post('http://127.0.0.1:1', { headers: { 'x-a': 'b\r\nc: d' } }))).toMatchObject({
    sent: 'no',
  });
});
