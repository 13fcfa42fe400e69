import type { Delivery, TokenRequest } from '../../adapters/crm-adapter.ts';
import { maskInEveryForm } from '../quoted-forms.ts';
import { keptTokens } from './access-token.ts';

/** Shorter ones would be found in every second word of a text; where they stand by themselves see `isSecretPlace`. */
const SHORTEST = 4;
/** A key of many lines is told line by line. */
const SHORTEST_KEY_LINE = 20;
const SECRET_HEADER = /auth|token|key|secret|signature|cookie|password/i;
const SECRET_FIELD = /secret|token|password|assertion|code/i;

/**
 * Everything in a delivery that must not be read by anybody, in each form that a server or an error could quote:
 * `configured` are the values that stood as references in the settings. The lead's id is never one of them, though
 * it travels as Idempotency-Key: it is what the CRM and our lists call the lead.
 */
export function secretWords(
  delivery: Delivery | undefined,
  configured: readonly string[],
  leadId: string,
): string[] {
  const words = [...configured, ...keptTokens(), ...(delivery === undefined ? [] : secretsOf(delivery))];
  const forms = words
    .filter((word) => word !== leadId)
    .flatMap(formsOf)
    .filter((word) => word.length >= SHORTEST);
  // The longest first, so that none is left standing beside a part of it.
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}

export function withoutSecretWords(text: string, words: readonly string[]): string {
  if (words.length === 0) return text;
  const mask = (plain: string): string =>
    words.reduce((clean, word) => clean.replaceAll(word, '[secret]'), plain);
  return maskInEveryForm(text, mask, '[secret]');
}

function secretsOf(delivery: Delivery): string[] {
  switch (delivery.kind) {
    case 'email': {
      const { password, token, user = '' } = delivery.server;
      // How SMTP and a careless log would carry them.
      const login = password === undefined ? [] : [password, base64(`\0${user}\0${password}`)];
      return [...login, ...tokenSecrets(token), ...present(delivery.dkim?.privateKey)];
    }
    case 'http':
      return [
        ...querySecrets(delivery.url),
        ...Object.entries(delivery.headers).flatMap(([name, value]) => headerSecrets(name, value)),
        ...tokenSecrets(delivery.token),
        ...present(delivery.signature?.secret, delivery.tls?.key, delivery.tls?.passphrase),
        ...present(delivery.proxy?.password),
        ...proxyLogin(delivery.proxy),
      ];
    case 'sftp':
      return present(delivery.server.password, delivery.server.privateKey, delivery.server.passphrase);
    case 'file':
      return [];
  }
}

/** Whether what stands at a header or a query parameter of this name is kept secret, however short it is. */
export function isSecretPlace(name: string): boolean {
  return SECRET_HEADER.test(name);
}

function querySecrets(url: string): string[] {
  if (!URL.canParse(url)) return [];
  const { searchParams, password } = new URL(url);
  return [...searchParams.values(), password].filter((value) => value.length >= 2 * SHORTEST);
}

function headerSecrets(name: string, value: string): string[] {
  if (!SECRET_HEADER.test(name)) return [];
  const [scheme = '', ...rest] = value.split(' ');
  const credentials = rest.join(' ');
  if (scheme.toLowerCase() !== 'basic') return present(value, credentials);
  const login = Buffer.from(credentials, 'base64').toString('utf8');
  return [credentials, login, login.slice(login.indexOf(':') + 1)];
}

function tokenSecrets(token: TokenRequest | undefined): string[] {
  if (token === undefined) return [];
  const fields = Object.entries(token.form).filter(([name]) => SECRET_FIELD.test(name));
  return present(...fields.map(([, value]) => value), token.basic?.password, token.assertion?.privateKey);
}

function proxyLogin(proxy: { user?: string; password?: string } | undefined): string[] {
  return proxy?.user === undefined ? [] : [base64(`${proxy.user}:${proxy.password ?? ''}`)];
}

function formsOf(secret: string): string[] {
  const lines = secret.includes('\n')
    ? secret.split('\n').filter((line) => line.length >= SHORTEST_KEY_LINE && !line.startsWith('-----'))
    : [];
  const inForm = new URLSearchParams({ x: secret }).toString().slice(2);
  return [secret, encodeURIComponent(secret.toWellFormed()), inForm, base64(secret), ...lines];
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function present(...values: (string | undefined)[]): string[] {
  return values.filter((value) => value !== undefined && value !== '') as string[];
}
