/** A bridge that takes leads, prints each id once it is acknowledged, and sends them; to be killed at any instant. */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createDispatcher } from '../../src/leads/dispatcher.ts';
import { openLeadStore } from '../../src/leads/store.ts';
import { systemClock } from '../../src/model/clock.ts';
import { silentLog } from '../../src/model/log.ts';
import { answered, CEDAR, HARBOR, impatient, leadOf, leadsConfig, openDesk } from './lead-fixtures.ts';

const [file = '', smtpPort = '', httpUrl = '', round = ''] = process.argv.slice(2);
const store = openLeadStore(file);
const destinations = impatient(Number(smtpPort), httpUrl, 150);
const dispatcher = createDispatcher({
  store,
  destinations,
  rooftops: [HARBOR, CEDAR],
  dataFolder: '.',
  clock: systemClock,
  log: silentLog,
});
const desk = openDesk(store, {
  leads: leadsConfig({ destinations }),
  clock: systemClock,
  onQueued: () => dispatcher.wake(),
});
await dispatcher.start();
for (let buyer = Number(round) * 1_000_000; ; buyer += 1) {
  const request = leadOf(buyer);
  request.consent.granted_at = new Date().toISOString();
  const { answer } = answered(await desk.submit(request));
  writeSync(1, `${answer.lead_id}\n`);
  // About as fast as two unwilling CRMs take them, or the end of the test would wait for a long queue.
  await pause(20);
}
