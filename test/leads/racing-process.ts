/** Submits leads as soon as its parent says so, beside another process, and prints every answer. */
import { once } from 'node:events';
import { openLeadStore } from '../../src/leads/store.ts';
import type { Race } from './two-processes.ts';
import {
  answered,
  autoRule,
  destination,
  fileCrm,
  leadOf,
  leadRequest,
  leadsConfig,
  openDesk,
} from './lead-fixtures.ts';

const ANSWERS = 20;
const [file = '', race, name = ''] = process.argv.slice(2);
const store = openLeadStore(file);
const desk = openDesk(store, {
  leads: leadsConfig({
    destinations: [destination('folder', fileCrm('out'))],
    appointments: { holidays: [], rules: [autoRule()] },
  }),
});
process.stdout.write('ready\n');
await once(process.stdin, 'data');
for (let index = 0; index < ANSWERS; index += 1) {
  const request =
    (race as Race) === 'one-key'
      ? leadRequest({ idempotency_key: 'one-key' })
      : {
          ...leadOf(index + (name === 'one' ? 0 : ANSWERS)),
          appointment: { appointment_type: 'sales' as const, appointment_at: '2026-12-03T17:00:00Z' },
        };
  const { answer, message } = answered(await desk.submit(request));
  process.stdout.write(`${JSON.stringify({ ...answer, message })}\n`);
}
await store.close();
