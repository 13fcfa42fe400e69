import { A2A_VERSION, AAP_EXTENSION_URI } from '../model/protocol.ts';
import { AgentFault } from './agent-fault.ts';
import { cardAddress, isSafe } from './agent-address.ts';
import { exchange, type HttpAnswer } from './http-exchange.ts';
import { isObject, listAt, parseJson, textAt, valueAt } from './json-value.ts';
import { describeFaults, schemaFaults } from './payload-schemas.ts';

const MAX_CARD_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;

export interface AgentAddress {
  /** Origin or address of the card. */
  url: string;
  /** Host (with port) of this bridge, which may be reached without https. */
  knownHost?: string;
  timeoutMs: number;
}

/** An agent that can be asked, as its card describes it. */
export interface AgentCard {
  name: string;
  cardUrl: URL;
  /** Where SendMessage goes. */
  endpoint: URL;
  skills: readonly string[];
  /** Whether the AAP extension is required (A2A section 4.6). */
  extensionRequired: boolean;
  card: Readonly<Record<string, unknown>>;
  /** What is wrong with the card and does not keep the agent from being asked. */
  notes: readonly string[];
}

/** Fetches and checks the card. Throws an AgentFault when there is none, or none of an AAP 1.3 agent. */
export async function resolveCard(address: AgentAddress): Promise<AgentCard> {
  const { answer, url } = await fetchCard(address);
  if (answer.status !== 200) {
    const kind = answer.status >= 500 ? 'unreachable' : 'unsuitable';
    throw new AgentFault(kind, `${url.href} answers HTTP ${answer.status}: there is no agent card.`);
  }
  const card = parseJson(answer.text);
  if (!isObject(card))
    throw new AgentFault('unsuitable', `${url.href} is no agent card: it is no JSON object.`);
  return readCard(card, url, address.knownHost);
}

async function fetchCard(address: AgentAddress): Promise<{ answer: HttpAnswer; url: URL }> {
  let url = cardAddress(address.url, address.knownHost);
  const limits = { timeoutMs: address.timeoutMs, maxBytes: MAX_CARD_BYTES };
  for (let redirects = 0; ; redirects += 1) {
    const answer = await exchange(url, { method: 'GET', headers: { accept: 'application/json' } }, limits);
    if (answer.status < 300 || answer.status >= 400) return { answer, url };
    const target = answer.header('location') ?? '';
    const next = URL.canParse(target, url.href) ? new URL(target, url) : undefined;
    if (next?.origin !== url.origin) {
      const elsewhere = next?.origin ?? 'nowhere';
      throw new AgentFault(
        'unsuitable',
        `${url.href} sends us to ${elsewhere}; that is another server. Write its address if it is right.`,
      );
    }
    if (redirects === MAX_REDIRECTS) {
      throw new AgentFault('unsuitable', `${url.href} sends us on more than ${MAX_REDIRECTS} times.`);
    }
    url = next;
  }
}

/** `cardUrl` is where the card came from. */
export function readCard(
  card: Readonly<Record<string, unknown>>,
  cardUrl: URL,
  knownHost?: string,
): AgentCard {
  const extension = listAt(card, 'capabilities', 'extensions').find(
    (entry) => textAt(entry, 'uri') === AAP_EXTENSION_URI,
  );
  if (extension === undefined) {
    throw new AgentFault(
      'unsuitable',
      `The agent at ${cardUrl.origin} does not speak the Auto Agent Protocol 1.3: its card lacks ${AAP_EXTENSION_URI}.`,
    );
  }
  return {
    name: textAt(card, 'name') ?? cardUrl.host,
    cardUrl,
    endpoint: chooseEndpoint(card, cardUrl, knownHost),
    skills: listAt(card, 'skills').flatMap((skill) => textAt(skill, 'id') ?? []),
    extensionRequired: valueAt(extension, 'required') === true,
    card,
    notes: describeFaults(schemaFaults('agent-card', card)).map((fault) => `the card: ${fault}`),
  };
}

function chooseEndpoint(card: object, cardUrl: URL, knownHost: string | undefined): URL {
  const chosen = listAt(card, 'supportedInterfaces').find(
    (entry) =>
      textAt(entry, 'protocolBinding') === 'JSONRPC' && textAt(entry, 'protocolVersion') === A2A_VERSION,
  );
  if (chosen === undefined) {
    throw new AgentFault('unsuitable', `The agent has no JSON-RPC interface of A2A ${A2A_VERSION}.`);
  }
  const address = textAt(chosen, 'url') ?? '';
  if (!URL.canParse(address)) {
    throw new AgentFault('unsuitable', `The card's interface has no absolute address: "${address}".`);
  }
  const endpoint = new URL(address);
  const isElsewhere = endpoint.origin !== cardUrl.origin;
  if (!isSafe(endpoint, knownHost) || (isElsewhere && endpoint.protocol !== 'https:')) {
    throw new AgentFault(
      'unsuitable',
      `The card names an address that is not safe to call: ${endpoint.href}.`,
    );
  }
  return endpoint;
}
