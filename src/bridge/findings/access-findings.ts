import type { AlertThresholds } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import type { HealthReport } from '../../web/health-report.ts';

/** Told again so shortly before the end: whoever was told weeks ago may have forgotten. */
const LAST_DAYS = 2;

/** Tokens and certificate. */
export function accessFindings(
  { tls, tokens_file_fault: fault }: HealthReport['access'],
  thresholds: Pick<AlertThresholds, 'certificate_days'>,
): Finding[] {
  return [
    ...(fault === undefined
      ? []
      : [
          {
            key: 'tokens-file',
            status: 'fail',
            text: `The token file cannot be used and its last good state stays in use: ${fault}`,
            remedy: 'Mend the file; new tokens and revoked ones count only then.',
          } as const,
        ]),
    ...(tls === undefined ? [] : certificateFindings(tls, thresholds.certificate_days)),
  ];
}

function certificateFindings(
  { days_left: days, expires_at: end, reload_fault: fault }: NonNullable<HealthReport['access']['tls']>,
  earlyDays: number,
): Finding[] {
  const text = days < 0 ? `The certificate has expired (${end}).` : `The certificate ends on ${end}.`;
  const remedy = 'Renew it and lay it in the place of the old one; it is taken up by itself.';
  return [
    days < earlyDays
      ? { key: 'certificate-ends', status: 'warn', text, remedy }
      : { key: 'certificate-ends', status: 'ok', text },
    ...(days < LAST_DAYS ? [{ key: 'certificate-ends-now', status: 'fail', text, remedy } as const] : []),
    ...(fault === undefined
      ? []
      : [
          {
            key: 'certificate-unusable',
            status: 'fail',
            text: `A newer certificate cannot be used and the old one stays in use: ${fault}`,
            remedy: 'Put certificate and key that belong together in place.',
          } as const,
        ]),
  ];
}
