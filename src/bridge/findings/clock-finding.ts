import type { Finding } from '../../model/finding.ts';
import type { ClockHealth } from '../../web/health-report.ts';

const HOUR_S = 3600;

/** Whether the clock of this machine goes on from where the bridge last ran. */
export function clockFinding({ now, jump }: ClockHealth): Finding {
  const key = 'clock';
  if (jump === undefined) return { key, status: 'ok', text: `The clock of this machine says ${now}.` };
  const { kind, from, to, believed_in_seconds: left } = jump;
  const remedy =
    'Look at the clock of this machine and set it right (NTP; on Windows: w32tm). If it is right, do nothing: it is ' +
    `believed after ${Math.ceil(left / HOUR_S)} more hours of running.`;
  if (kind === 'back') {
    const text = `The clock was set back: it said ${from} when the bridge last ran, and ${to} after that.`;
    return { key, status: 'warn', text, remedy };
  }
  const text =
    `The clock said ${from} when the bridge last ran, and ${to} after that: the bridge was off for so long, or the ` +
    'clock runs ahead. Until it is believed no customer is erased, and no log is deleted for its age.';
  return { key, status: 'warn', text, remedy };
}
