/** Calls a dealer's tools 6,000 times and tells its parent how the heap was after 1,000 and at the end, in bytes. */
import { Agent, request } from 'node:http';
import { openLiveAgent } from '../web/live-agent.ts';

const WARM_UP = 1000;
const CALLS = 5000;

const agent = await openLiveAgent();
const connections = new Agent({ keepAlive: true, maxSockets: 4 });

function call(id: number): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'aap_inventory_vehicle', arguments: { stock: 'T12345' } },
  });
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const sent = request(
      `${agent.origin}/mcp`,
      { method: 'POST', headers, agent: connections },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve(text));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function callTimes(count: number): Promise<number> {
  let good = 0;
  for (let id = 0; id < count; id += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, offset) => call(id + offset)));
    answers.forEach((text, offset) => {
      const reply = JSON.parse(text) as { id: number; result?: { structuredContent?: object } };
      if (reply.id === id + offset && reply.result?.structuredContent !== undefined) good += 1;
    });
  }
  return good;
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

let good = await callTimes(WARM_UP);
const before = heap();
good += await callTimes(CALLS);
// The answers of a search are kept only while a client listens to them.
const after = heap();
agent.searches.length = 0;
process.send?.({ good, before, after }, () => {
  connections.destroy();
  void agent.close();
});
