import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { laterLeads } from '../leads/store-later.ts';
import type { RestoreReport } from '../leads/store-restore.ts';
import { formatInstant } from '../model/clock.ts';
import { takenAt, type FoundBackup } from '../runtime/backup/backup-folder.ts';
import type { Staged } from '../runtime/backup/restore.ts';

/** So many leads are named; `leads list` on the old state shows all. */
const MAX_NAMED = 20;

/** What a person must know before saying yes. */
export function tellWhatIsLost(backup: FoundBackup, { names, folder }: Staged, dataFolder: string): void {
  const { name, manifest } = backup;
  console.log(
    `Backup ${name}, taken ${formatInstant(takenAt(backup))} (${manifest.reason}), is whole. What it replaces: ${names.join(', ')}.`,
  );
  if (names.includes('leads.db')) console.log(lostLeads(join(folder, 'leads.db'), dataFolder));
}

function lostLeads(copy: string, dataFolder: string): string {
  const present = join(dataFolder, 'leads.db');
  if (!existsSync(present)) return 'There is no leads.db now, so no lead is lost by this.';
  const later = laterLeads(present, copy);
  if (later === undefined) {
    return 'The present leads.db cannot be read: nobody can tell which leads came after the backup. Look in your CRM.';
  }
  const { missing, isSound } = later;
  const damage = isSound
    ? ''
    : ' The present leads.db is damaged, so there may be more; and what was sent since is not known.';
  if (missing.length === 0) return `No lead has come since then.${damage}`;
  const named = missing
    .slice(0, MAX_NAMED)
    .map(({ lead_id, received_at }) => `  ${lead_id}  ${formatInstant(received_at)}`);
  const more = missing.length - named.length;
  return [
    `LOST: ${missing.length} ${missing.length === 1 ? 'lead has' : 'leads have'} come since then and will not be in the restored state.${damage}`,
    ...named,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}

/** What was done, and what a person should do next. */
export function tellRestored({ name }: FoundBackup, aside: string, report: RestoreReport | undefined): void {
  console.log(`Restored from ${name}. What was there before lies in ${aside}.`);
  if (report === undefined) return;
  const { carriedOver, sentAgain, held, erasedAgain } = report;
  if (carriedOver > 0) {
    console.log(`${carriedOver} deliveries stand where the database before the restore had them.`);
  }
  if (sentAgain > 0) {
    console.log(
      `${sentAgain} deliveries may have gone out since the backup; they are sent again, marked as repeats (on_uncertain: retry).`,
    );
  }
  if (held > 0) {
    console.log(
      `${held} deliveries may have gone out since the backup and wait for a person: "leads list --state uncertain" ` +
        'shows them. Look in the CRM, then "leads resend" or "leads cancel".',
    );
  }
  if (erasedAgain > 0) console.log(`${erasedAgain} customers who had been erased since are erased again.`);
  console.log(
    'Start the bridge. Customers erased at their own wish since the backup: "leads purge" once more.',
  );
}
