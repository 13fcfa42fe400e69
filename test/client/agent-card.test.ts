import { afterEach, describe, expect, it } from 'vitest';
import { readCard, resolveCard } from '../../src/client/agent-card.ts';
import { cardAddress } from '../../src/client/agent-address.ts';
import { AgentFault } from '../../src/client/agent-fault.ts';
import { openHostileServer, type HostileServer } from './hostile-server.ts';

const EXTENSION = 'https://autoagentprotocol.org/extensions/aap/v1.3';
const servers: HostileServer[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(...args: Parameters<typeof openHostileServer>): Promise<HostileServer> {
  const server = await openHostileServer(...args);
  servers.push(server);
  return server;
}

function cardFor(url: string, change: object = {}): Record<string, unknown> {
  return {
    name: 'Harbor',
    description: 'Cars',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri: EXTENSION }] },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: [{ id: 'inventory.search', name: 'search', description: 'search', tags: ['cars'] }],
    ...change,
  };
}

const SAFE = new URL('https://dealer.example/.well-known/agent-card.json');

describe('the address of a card', () => {
  it.each([
    ['https://dealer.example', 'https://dealer.example/.well-known/agent-card.json'],
    ['https://dealer.example/', 'https://dealer.example/.well-known/agent-card.json'],
    ['https://dealer.example/shop/cars?x=1', 'https://dealer.example/.well-known/agent-card.json'],
    [
      'https://dealer.example/.well-known/agent-card.json',
      'https://dealer.example/.well-known/agent-card.json',
    ],
    ['https://dealer.example/agents/7.json', 'https://dealer.example/agents/7.json'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/.well-known/agent-card.json'],
    ['http://[::1]:8080/a2a', 'http://[::1]:8080/.well-known/agent-card.json'],
  ])('%s is at %s', (address, card) => {
    expect(cardAddress(address).href).toBe(card);
  });

  it.each([
    ['dealer.example', 'no web address'],
    ['ftp://dealer.example', 'must be an https address'],
    ['file:///etc/passwd', 'must be an https address'],
    ['https://user:secret@dealer.example', 'without a user'],
    ['http://dealer.example', 'not encrypted'],
    ['http://127.0.0.1.dealer.example', 'not encrypted'],
  ])('%s is refused', (address, why) => {
    expect(() => cardAddress(address)).toThrow(why);
  });

  it('may be unencrypted where it is the bridge of the settings', () => {
    expect(cardAddress('http://192.168.1.10:8080', '192.168.1.10:8080').host).toBe('192.168.1.10:8080');
    expect(() => cardAddress('http://192.168.1.10:8081', '192.168.1.10:8080')).toThrow('not encrypted');
  });
});

describe('a card', () => {
  it('gives name, endpoint, skills, and no notes when all is right', () => {
    expect(readCard(cardFor('https://dealer.example/a2a'), SAFE)).toMatchObject({
      name: 'Harbor',
      endpoint: new URL('https://dealer.example/a2a'),
      skills: ['inventory.search'],
      extensionRequired: false,
      notes: [],
    });
  });

  it('is refused without the AAP extension of version 1.3', () => {
    const other = { capabilities: { extensions: [{ uri: EXTENSION.replace('1.3', '1.2') }] } };
    expect(() => readCard(cardFor('https://dealer.example/a2a', other), SAFE)).toThrow(
      'does not speak the Auto Agent Protocol 1.3',
    );
  });

  it.each([
    [{ supportedInterfaces: [] }],
    [
      {
        supportedInterfaces: [
          { url: 'https://dealer.example', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        ],
      },
    ],
    [
      {
        supportedInterfaces: [
          { url: 'https://dealer.example', protocolBinding: 'GRPC', protocolVersion: '1.0' },
        ],
      },
    ],
    [{ supportedInterfaces: 'none' }],
  ])('is refused without a JSON-RPC interface of 1.0: %j', (change) => {
    expect(() => readCard(cardFor('', change), SAFE)).toThrow('no JSON-RPC interface of A2A 1.0');
  });

  it('takes the first JSON-RPC interface of 1.0 among others', () => {
    const supportedInterfaces = [
      { url: 'https://dealer.example/grpc', protocolBinding: 'GRPC', protocolVersion: '1.0' },
      { url: 'https://dealer.example/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: 'https://api.vendor.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ];
    const { endpoint } = readCard(cardFor('', { supportedInterfaces }), SAFE);
    expect(endpoint.href).toBe('https://api.vendor.example/a2a');
  });

  it.each([
    'http://dealer.example/a2a',
    'http://127.0.0.1:8081/health',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])('may not send us to %s', (url) => {
    expect(() => readCard(cardFor(url), SAFE)).toThrow('not safe to call');
  });

  it('may not send us from one server of this machine to another', () => {
    const local = new URL('http://127.0.0.1:8080/.well-known/agent-card.json');
    expect(() => readCard(cardFor('http://127.0.0.1:9200/'), local)).toThrow('not safe to call');
    expect(readCard(cardFor('http://127.0.0.1:8080/a2a'), local).endpoint.port).toBe('8080');
  });

  it('with smaller faults is used, and the faults are told', () => {
    const { description: _, ...card } = cardFor('https://dealer.example/a2a');
    expect(readCard(card, SAFE).notes).toEqual(['the card: the whole "description" is missing']);
  });
});

describe('fetching a card', () => {
  const timeoutMs = 20_000;

  it('follows redirects on the same server only', async () => {
    const own: HostileServer = await serve((request, response) => {
      if (request.url === '/card.json') response.end(JSON.stringify(cardFor(`${own.origin}/a2a`)));
      else response.writeHead(302, { location: '/card.json' }).end();
    });
    expect((await resolveCard({ url: own.origin, timeoutMs })).cardUrl.pathname).toBe('/card.json');

    const elsewhere = await serve((_request, response) => {
      response.writeHead(302, { location: `${own.origin}/card.json` }).end();
    });
    await expect(resolveCard({ url: elsewhere.origin, timeoutMs })).rejects.toThrow('that is another server');
  });

  it('gives up on a circle', async () => {
    const circle = await serve((_request, response) =>
      response.writeHead(302, { location: '/x.json' }).end(),
    );
    await expect(resolveCard({ url: circle.origin, timeoutMs })).rejects.toThrow('more than 3 times');
  });

  it('reads no more than a megabyte', async () => {
    let sent = 0;
    const large = await serve((_request, response) => {
      const block = Buffer.alloc(64 * 1024, ' ');
      const send = (): void => {
        if (sent >= 10 * 1024 * 1024 || response.destroyed) return;
        sent += block.length;
        if (response.write(block)) setImmediate(send);
        else response.once('drain', send);
      };
      send();
    });
    await expect(resolveCard({ url: large.origin, timeoutMs })).rejects.toThrow('larger than 1048576 bytes');
    expect(sent).toBeLessThan(10 * 1024 * 1024);
  });

  it('ends after its time, however busily the server sends', async () => {
    const slow = await serve((_request, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    const fault: unknown = await resolveCard({ url: slow.origin, timeoutMs: 300 }).catch(
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(AgentFault);
    expect(fault).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('within 0.3 s') });
  });

  it.each([
    [200, '<html>', 'unsuitable', 'no JSON object'],
    [200, '[]', 'unsuitable', 'no JSON object'],
    [200, '{}', 'unsuitable', 'does not speak'],
    [200, `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 'unsuitable', 'no JSON object'],
    [404, '{}', 'unsuitable', 'HTTP 404'],
    [503, '', 'unreachable', 'HTTP 503'],
  ])('tells what is wrong with HTTP %i', async (status, body, kind, message) => {
    const server = await serve((_request, response) => response.writeHead(status).end(body));
    const fault: unknown = await resolveCard({ url: server.origin, timeoutMs }).catch(
      (error: unknown) => error,
    );
    expect(fault).toMatchObject({ kind, message: expect.stringContaining(message) });
  });
});
