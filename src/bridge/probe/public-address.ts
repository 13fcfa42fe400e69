import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import { askLocally } from './local-server.ts';
import type { Running } from './running.ts';

const CARD = '/.well-known/agent-card.json';
const LIMIT_MS = 10_000;

/** Whether the name that buyers use leads here: it resolves, and our own card is found behind it. */
export async function publicAddressFindings({ server }: Config, { isRunning }: Running): Promise<Finding[]> {
  const { public_url: publicUrl, host, port, tls } = server;
  if (publicUrl === undefined) return [];
  const key = 'public-address';
  const { hostname } = new URL(publicUrl);
  const name = hostname.replaceAll(/^\[|\]$/g, '');
  const isKnown =
    isIP(name) !== 0 ||
    (await lookup(name).then(
      () => true,
      () => false,
    ));
  if (!isKnown) {
    const text = `No machine of the name ${hostname} is known (server.public_url).`;
    const remedy = 'Check its spelling, and whether its record is in the DNS.';
    return [{ key, status: 'fail', text, remedy }];
  }
  const ours = isRunning ? await askLocally({ host, port, isSecure: tls !== undefined }, CARD) : undefined;
  if (ours === undefined) {
    const text = `${publicUrl} has a known name; whether it leads here shows while the bridge runs.`;
    return [{ key, status: 'ok', text }];
  }
  const seen = await cardAt(publicUrl);
  if ('card' in seen && isDeepStrictEqual(seen.card, ours)) {
    return [{ key, status: 'ok', text: `${publicUrl} answers with our agent card.` }];
  }
  const told = 'card' in seen ? 'answers with another agent card than ours' : seen.fault;
  return [
    {
      key,
      // Seen from inside the house many a router does not lead back in.
      status: 'card' in seen ? 'fail' : 'warn',
      text: `${publicUrl} ${told}.`,
      remedy: `Open ${publicUrl}${CARD} from outside (a telephone without WLAN). Check the proxy or the port forwarding in front of this machine.`,
    },
  ];
}

async function cardAt(origin: string): Promise<{ card: unknown } | { fault: string }> {
  try {
    const { statusCode, body } = await request(`${origin}${CARD}`, { signal: AbortSignal.timeout(LIMIT_MS) });
    if (statusCode !== 200) {
      await body.dump();
      return { fault: `answers with status ${statusCode} where the agent card should be` };
    }
    return { card: await body.json() };
  } catch (fault) {
    return { fault: `cannot be asked from here (${fault instanceof Error ? fault.message : String(fault)})` };
  }
}
