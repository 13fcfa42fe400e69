import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Larkspur, the CRM of the adapter's template: hands tokens out and takes every lead. */
export class Larkspur {
  /** The leads' bodies, in the order in which they came. */
  readonly leads: { externalId: string; note: string }[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const isToken = request.url === '/oauth/token';
        if (!isToken) this.leads.push(JSON.parse(body) as Larkspur['leads'][number]);
        const answer = isToken
          ? { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 }
          : { result: 'ok', lead: { id: 'LK-1' } };
        response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
      });
    });
  }

  static async open(): Promise<Larkspur> {
    const crm = new Larkspur();
    await new Promise<void>((resolve) => crm.#server.listen(0, '127.0.0.1', resolve));
    return crm;
  }

  /** A destination for bridge.yaml. */
  get settings(): string {
    const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return `    - id: crm
      adapter: larkspur
      options:
        dealer_code: HB0042
        client_id: bridge-hb0042
        client_secret: "\${env:LARKSPUR_SECRET}"
        api_url: ${origin}/v2
        token_url: ${origin}/oauth/token`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
