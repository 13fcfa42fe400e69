import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/* eslint-disable @typescript-eslint/no-explicit-any -- JSON of any shape is bent here on purpose */

export interface Message {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** What a wrong agent does differently from the right one that stands behind it. */
export interface Fault {
  /** Bends the card. */
  card?: (card: any) => void;
  /** Bends the HTTP answer that carries the card, HEAD included. */
  cardAnswer?: (answer: Message, method: string) => void;
  /** Bends the JSON-RPC call before the right agent sees it. */
  call?: (call: any) => void;
  /** Bends the JSON-RPC reply; `call` is as it came in. */
  reply?: (reply: any, call: any) => void;
  /** Bends the HTTP answer to a call, after `reply`. */
  answer?: (
    answer: Message,
    request: { method: string; text: string; headers: IncomingMessage['headers'] },
  ) => void;
}

const CARD_PATH = '/.well-known/agent-card.json';
const FORWARDED = [
  'content-type',
  'content-encoding',
  'a2a-version',
  'a2a-extensions',
  'authorization',
  'if-none-match',
  'accept',
];
const RETURNED = ['content-type', 'a2a-extensions', 'allow', 'etag', 'cache-control', 'retry-after'];

/** An agent that stands before a right one and does wrong as `fault` says; without one it passes all on. */
export class TamperingAgent {
  origin = '';
  fault: Fault = {};
  readonly #target: string;
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response);
  });

  constructor(target: string) {
    this.#target = target;
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const isCard = request.url === CARD_PATH;
    const answer = isCard ? await this.#card(request) : await this.#call(request, text);
    response.writeHead(answer.status, answer.headers);
    response.end(request.method === 'HEAD' ? undefined : answer.text);
  }

  async #card(request: IncomingMessage): Promise<Message> {
    const answer = await this.#forward(request, undefined);
    if (answer.text !== '') {
      const card = JSON.parse(answer.text);
      card.supportedInterfaces[0].url = `${this.origin}/a2a`;
      this.fault.card?.(card);
      answer.text = JSON.stringify(card);
    }
    this.fault.cardAnswer?.(answer, request.method ?? '');
    return answer;
  }

  async #call(request: IncomingMessage, text: string): Promise<Message> {
    const call = parsed(text);
    const bent = this.fault.call === undefined || call === undefined ? text : bend(text, this.fault.call);
    const answer = await this.#forward(request, request.method === 'POST' ? bent : undefined);
    const reply = parsed(answer.text);
    if (reply !== undefined && this.fault.reply !== undefined) {
      this.fault.reply(reply, call);
      answer.text = JSON.stringify(reply);
    }
    this.fault.answer?.(answer, { method: request.method ?? '', text, headers: request.headers });
    return answer;
  }

  async #forward(request: IncomingMessage, body: string | undefined): Promise<Message> {
    const headers = FORWARDED.flatMap((name) => {
      const value = request.headers[name];
      return value === undefined ? [] : [[name, String(value)] as [string, string]];
    });
    const response = await fetch(`${this.#target}${request.url ?? '/'}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    const returned = RETURNED.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    return { status: response.status, headers: Object.fromEntries(returned), text: await response.text() };
  }
}

function parsed(text: string): any {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function bend(text: string, change: (call: any) => void): string {
  const call = JSON.parse(text);
  change(call);
  return JSON.stringify(call);
}
