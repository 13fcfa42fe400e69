import type { Transporter } from 'nodemailer';
import type { AlertMailConfig, AlertsConfig, AlertWebhookConfig } from '../config/config.ts';
import type { AlertChannel, AlertMessage } from './alerts.ts';

const TIMEOUT_MS = 20_000;
/** Alerts that are written out in a mail; the rest is a number. */
const MAX_WRITTEN = 50;

/** The ways that are configured. */
export function alertChannels({ mail, webhook }: Pick<AlertsConfig, 'mail' | 'webhook'>): AlertChannel[] {
  return [
    ...(mail === undefined ? [] : [mailChannel(mail)]),
    ...(webhook === undefined ? [] : [webhookChannel(webhook)]),
  ];
}

function mailChannel({ host, port, security, user, password, from, to }: AlertMailConfig): AlertChannel {
  // Most bridges have nothing to tell: the library comes with the first alert.
  const open = async (): Promise<Transporter> =>
    (await import('nodemailer')).default.createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { minVersion: 'TLSv1.2' },
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    });
  let transport: Promise<Transporter> | undefined;
  return {
    name: 'mail',
    send: async (message) => {
      const opened = await (transport ??= open());
      await opened.sendMail({
        from: { name: 'dealer-bridge', address: from },
        to: to.map((address) => ({ name: '', address })),
        subject: subjectOf(message),
        text: textOf(message),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
  };
}

function webhookChannel({ url, token }: AlertWebhookConfig): AlertChannel {
  return {
    name: 'webhook',
    send: async (message) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        // `text` is what the incoming webhooks of chats show.
        body: JSON.stringify({ text: `${subjectOf(message)}\n\n${textOf(message)}`, ...message }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      const { ok, status } = response;
      if (!ok) throw Object.assign(new Error(`the webhook answered with status ${status}`), { status });
    },
  };
}

function subjectOf({ test, raised, resolved, from }: AlertMessage): string {
  if (test) return `[dealer-bridge] TEST of the alerts at ${from}`;
  const [first] = raised;
  if (first === undefined) return `[dealer-bridge] over: ${counted(resolved.length)} at ${from}`;
  return `[dealer-bridge] ALERT: ${counted(raised.length)} at ${from}`;
}

function counted(number: number): string {
  return number === 1 ? '1 trouble' : `${number} troubles`;
}

function textOf({ raised, resolved, from, sentAt }: AlertMessage): string {
  return [
    ...section('What needs a person:', raised, ({ text, remedy }) => `- ${text}\n  ${remedy}`),
    ...section('What is over:', resolved, ({ text }) => `- ${text}`),
    `${from}, ${sentAt}. This is told once; another message comes when it is over.`,
  ].join('\n\n');
}

function section<T>(title: string, entries: readonly T[], write: (entry: T) => string): string[] {
  if (entries.length === 0) return [];
  const more = entries.length - MAX_WRITTEN;
  return [
    [
      title,
      ...entries.slice(0, MAX_WRITTEN).map(write),
      ...(more > 0 ? [`- and ${more} more: dealer-bridge leads list --state dead`] : []),
    ].join('\n'),
  ];
}
