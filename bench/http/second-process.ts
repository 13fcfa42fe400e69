import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../measure.ts';
import { rounded, type Row } from '../report.ts';
import { startYardstick } from './compare-http.ts';
import { callText, postText, startLoadClient } from './load.ts';

const ROUNDS = 5;
const ROUND_MS = 600;
const CLIENTS = 64;
const REPLY_BYTES = 13_000;

/** What a second serving process would add at most: the bare server once alone, once as two behind node:cluster. */
export async function benchSecondProcess(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cluster-'));
  const bodies = [JSON.stringify('x'.repeat(REPLY_BYTES))];
  const one = await startYardstick('bare', folder, bodies);
  const two = await startYardstick('cluster', folder, bodies);
  const client = startLoadClient();
  try {
    const request = postText('/0', callText('dealer.information', {}));
    const [alone, both]: [number[], number[]] = [[], []];
    // The first round warms up.
    for (let round = -1; round < ROUNDS; round++) {
      const order = { requests: [request], clients: CLIENTS, ms: ROUND_MS };
      const [first, second] = [await client.run(one, order), await client.run(two, order)];
      if (round < 0) continue;
      alone.push(first.perSecond);
      both.push(second.perSecond);
    }
    const [single, double] = [quantile(alone, 0.5), quantile(both, 0.5)];
    return [
      {
        name: `bare node:http, ${CLIENTS} clients`,
        values: {
          'one process/s': rounded(single),
          'two processes/s': rounded(double),
          'times as many': rounded(double / single, 2),
        },
        goals: [],
      },
    ];
  } finally {
    client.stop();
    await Promise.all([one.stop(), two.stop()]);
    rmSync(folder, { recursive: true });
  }
}
