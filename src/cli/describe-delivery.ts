import type { Delivery } from '../adapters/crm-adapter.ts';
import type { DestinationConfig } from '../config/config.ts';
import { isSecretPlace, secretWords, withoutSecretWords } from '../leads/delivery/secret-words.ts';
import type { LeadDocument } from '../model/lead.ts';

/** Everything that would be sent, for a person to read; what must be kept secret stands as [secret]. */
export function describeDelivery(
  lead: LeadDocument,
  { crm, options, secrets = [] }: DestinationConfig,
): string {
  const delivery = crm.build(lead, options);
  // The id of the lead travels as a key, but is none.
  const isSecret: SecretTeller = (name, value) =>
    secrets.includes(value) || (isSecretPlace(name) && value !== lead.lead_id);
  return withoutSecretWords(textOf(delivery, isSecret), secretWords(delivery, secrets, lead.lead_id));
}

/** Of a header or a query parameter. */
type SecretTeller = (name: string, value: string) => boolean;

function textOf(delivery: Delivery, isSecret: SecretTeller): string {
  switch (delivery.kind) {
    case 'email': {
      const { server, from, to, subject, text = '', attachments, messageId, dkim } = delivery;
      const login =
        server.user === undefined
          ? 'without a login'
          : `as ${server.user}${server.token === undefined ? '' : ' by access token'}`;
      return lines(
        `Mail by ${server.host}:${server.port} (${server.security}), ${login}`,
        ...(server.token === undefined ? [] : [`Access token from ${server.token.url}`]),
        `From: ${from.address}`,
        `To: ${to.map(({ address }) => address).join(', ')}`,
        `Subject: ${subject}`,
        `Message-ID: <${messageId}>`,
        ...(dkim === undefined ? [] : [`DKIM: ${dkim.selector}._domainkey.${dkim.domain}`]),
        '',
        text,
        ...attachments.flatMap(({ filename, contentType, content }) => [
          `--- ${filename} (${contentType})`,
          content,
        ]),
      );
    }
    case 'http': {
      const { method, url, headers, body, token, signature, tls, proxy } = delivery;
      return lines(
        `${method} ${urlText(url, isSecret)}`,
        ...Object.entries(headers).map(
          ([name, value]) => `${name}: ${isSecret(name, value) ? '[secret]' : value}`,
        ),
        ...(token === undefined ? [] : [`Authorization: Bearer, from ${token.url}`]),
        ...(signature === undefined ? [] : [`${signature.header}: HMAC-SHA256, made when it is sent`]),
        ...(tls?.cert === undefined ? [] : ['With a certificate of ours (mutual TLS)']),
        ...(proxy === undefined ? [] : [`Through the proxy ${proxy.url}`]),
        '',
        body,
      );
    }
    case 'file':
      return lines(`File ${delivery.name} in ${delivery.folder}`, '', delivery.content);
    case 'sftp': {
      const { server, folder, name, content } = delivery;
      return lines(
        `File ${name} to ${server.host}:${server.port}, folder ${folder}, as ${server.user}`,
        '',
        content,
      );
    }
  }
}

/** As it stands but for secrets, since a server may read one query in more than one form. */
function urlText(url: string, isSecret: SecretTeller): string {
  const [base = '', ...query] = url.split('?');
  if (query.length === 0) return url;
  const parameters = query
    .join('?')
    .split('&')
    .map((parameter) => {
      const [[name, value] = ['', '']] = new URLSearchParams(parameter);
      return value !== '' && isSecret(name, value) ? `${parameter.split('=')[0] ?? ''}=[secret]` : parameter;
    });
  return `${base}?${parameters.join('&')}`;
}

function lines(...texts: string[]): string {
  return `${texts.join('\n').trimEnd()}\n`;
}
