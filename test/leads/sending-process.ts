/** A bridge that takes one lead, tells its id to its parent, and sends it; to be killed while it does. */
import { createDispatcher } from '../../src/leads/dispatcher.ts';
import { openLeadStore } from '../../src/leads/store.ts';
import { systemClock } from '../../src/model/clock.ts';
import { silentLog } from '../../src/model/log.ts';
import {
  answered,
  CEDAR,
  destination,
  HARBOR,
  leadOf,
  leadsConfig,
  mailCrm,
  openDesk,
  smtpServerAt,
} from './lead-fixtures.ts';

const [file = '', port = ''] = process.argv.slice(2);
const store = openLeadStore(file);
const destinations = [destination('mail', mailCrm(smtpServerAt(Number(port), { timeoutMs: 60_000 })))];
const dispatcher = createDispatcher({
  store,
  destinations,
  rooftops: [HARBOR, CEDAR],
  dataFolder: '.',
  clock: systemClock,
  log: silentLog,
});
const request = leadOf(1);
request.consent.granted_at = new Date().toISOString();
const desk = openDesk(store, { leads: leadsConfig({ destinations }), clock: systemClock });
const { answer } = answered(await desk.submit(request));
process.send?.(answer.lead_id);
await dispatcher.start();
