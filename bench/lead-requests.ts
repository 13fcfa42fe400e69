import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'undici';

interface LeadRequest {
  params: {
    message: { messageId: string; parts: { data: Record<string, unknown> & { customer: object } }[] };
  };
}

const SAMPLE = fileURLToPath(new URL('../samples/requests/lead.json', import.meta.url));
const template = JSON.parse(readFileSync(SAMPLE, 'utf8')) as LeadRequest;
let buyers = 0;

/** Sends one lead of a new buyer and gives the size of the answer in bytes. Rejects when it is not taken. */
export async function submitLead(pool: Pool): Promise<number> {
  const { statusCode, body } = await pool.request({
    path: '/a2a',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: newLead(),
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.includes('"received"')) throw new Error(`no lead was taken: ${text}`);
  return Buffer.byteLength(text);
}

/** Another buyer each time, or it would be a repeat. */
function newLead(): string {
  buyers += 1;
  const { message } = template.params;
  const parts = message.parts.map(({ data, ...part }) => {
    const { idempotency_key: _key, ...lead } = data;
    const customer = {
      ...data.customer,
      email: `buyer${buyers}@example.com`,
      phone: `+1${2_070_000_000 + buyers}`,
    };
    return { ...part, data: { ...lead, customer } };
  });
  return JSON.stringify({
    ...template,
    params: { message: { ...message, messageId: `bench-${buyers}`, parts } },
  });
}
