import type { EmailDelivery, HttpDelivery } from '../../adapters/crm-adapter.ts';
import type { AlertsConfig, Config } from '../../config/config.ts';
import { secretsOf } from '../../config/secret-values.ts';
import { withoutSecretWords } from '../../leads/delivery/secret-words.ts';
import { tryWay } from '../../leads/delivery/try-way.ts';
import type { Finding } from '../../model/finding.ts';
import { placeOf, STEP_LIMIT_MS, wayFinding, type RemoteDelivery, type ServerTimes } from './way-finding.ts';
import { within } from './within.ts';

/** The ways on which a person is told when something is wrong. */
export async function alertWayFindings(config: Config, times: ServerTimes): Promise<Finding[]> {
  const words = secretsOf(config).filter((word) => word.length >= 4);
  const clean = (text: string): string => withoutSecretWords(text, words);
  const ways = alertWays(config.alerts);
  if (ways.length === 0) {
    const text = 'Nobody is told when something is wrong.';
    const remedy = 'Set alerts.mail or alerts.webhook.';
    return [{ key: 'alerts', status: 'warn', text, remedy }];
  }
  const found = await Promise.all(
    ways.map(({ key, name, delivery }) =>
      within(key, name, async () => {
        const tried = await tryWay(delivery);
        const finding = wayFinding({ key, name, clean }, tried, times, placeOf(delivery));
        if (finding.status === 'ok') return [finding];
        // The explanations speak of the settings of a destination.
        const remedy = finding.remedy.replaceAll(/\bsmtp\.(?=[a-z])/g, 'alerts.mail.');
        return [{ ...finding, remedy }];
      }),
    ),
  );
  return found.flat();
}

function alertWays({
  mail,
  webhook,
}: AlertsConfig): { key: string; name: string; delivery: RemoteDelivery }[] {
  const timeoutMs = STEP_LIMIT_MS;
  return [
    ...(mail === undefined
      ? []
      : [
          {
            key: 'alerts:mail',
            name: `Alerts by mail (${mail.host})`,
            delivery: mailWay({ ...mail, timeoutMs }),
          },
        ]),
    ...(webhook === undefined
      ? []
      : [
          {
            key: 'alerts:webhook',
            name: `Alerts by webhook (${new URL(webhook.url).host})`,
            delivery: httpWay(webhook.url, timeoutMs),
          },
        ]),
  ];
}

/** Only what is needed to go the way and turn back. */
function mailWay(server: EmailDelivery['server']): EmailDelivery {
  const from = { name: '', address: '' };
  return { kind: 'email', server, from, to: [], subject: '', attachments: [], messageId: '', date: '' };
}

function httpWay(url: string, timeoutMs: number): HttpDelivery {
  return { kind: 'http', method: 'POST', url, headers: {}, body: '', timeoutMs };
}
