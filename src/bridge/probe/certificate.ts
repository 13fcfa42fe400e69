import { readFile } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { formatInstant } from '../../model/clock.ts';
import type { Finding } from '../../model/finding.ts';
import { judgeTlsPair } from '../../model/tls-pair.ts';

const DAY_MS = 86_400_000;
/** As the alerts: from here on it is urgent. */
const URGENT_DAYS = 2;

/** The certificate of the public server: readable, with its key, and for how long. */
export async function certificateFindings(
  { server: { tls }, alerts: { certificate_days: early } }: Config,
  now: number,
): Promise<Finding[]> {
  if (tls === undefined) return [];
  const key = 'certificate';
  const [cert, privateKey] = await Promise.all([readFile(tls.cert, 'utf8'), readFile(tls.key, 'utf8')]);
  const judgement = judgeTlsPair({ cert, key: privateKey, passphrase: tls.passphrase });
  if (!judgement.ok) {
    const text = `${tls[judgement.part]} ${judgement.reason}.`;
    return [{ key, status: 'fail', text, remedy: 'Put certificate and key of one pair into server.tls.' }];
  }
  const days = Math.floor((judgement.expiresAt - now) / DAY_MS);
  const end = formatInstant(judgement.expiresAt);
  if (days >= early) {
    return [{ key, status: 'ok', text: `The certificate and its key fit, and hold until ${end}.` }];
  }
  const text =
    days < 0
      ? `The certificate has expired on ${end}.`
      : `The certificate expires in ${days} days, on ${end}.`;
  const remedy =
    'Renew it and put the new files in place of the old; a running bridge takes them up by itself.';
  return [{ key, status: days < URGENT_DAYS ? 'fail' : 'warn', text, remedy }];
}
