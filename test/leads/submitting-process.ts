/** A bridge that takes leads as fast as it can and prints each id once it is acknowledged; to be killed. */
import { writeSync } from 'node:fs';
import { openLeadStore } from '../../src/leads/store.ts';
import { answered, destination, fileCrm, leadOf, leadsConfig, openDesk } from './lead-fixtures.ts';

const [file = '', round = ''] = process.argv.slice(2);
const desk = openDesk(openLeadStore(file), {
  leads: leadsConfig({ destinations: [destination('file', fileCrm('out'))] }),
});
for (let buyer = 0; ; buyer += 4) {
  const requests = [0, 1, 2, 3].map((index) => leadOf(Number(round) * 1_000_000 + buyer + index));
  for (const outcome of await Promise.all(requests.map((request) => desk.submit(request)))) {
    writeSync(1, `${answered(outcome).answer.lead_id}\n`);
  }
}
