import type { Config, SourceConfig } from './config.ts';

/** `/alerts` is no secret, and blanked everywhere it would spoil what else is told. */
const SHORTEST_PATH = 8;

/** Every value of the settings that no log may hold: passwords, tokens, keys, and addresses that are their own key. */
export function secretsOf({ server, feeds, leads, alerts }: Config): string[] {
  const found = [
    server.tls?.passphrase,
    alerts.mail?.password,
    alerts.webhook?.token,
    alerts.webhook === undefined ? undefined : pathOf(alerts.webhook.url),
    ...feeds.flatMap(({ source }) => (source === undefined ? [] : sourceSecrets(source))),
    ...leads.destinations.flatMap(({ secrets = [] }) => secrets),
  ];
  return found.filter((value) => value !== undefined);
}

function sourceSecrets(source: SourceConfig): (string | undefined)[] {
  if (source.kind === 'http') {
    const { auth, url } = source;
    // A token may stand in the query.
    const query = URL.canParse(url) ? new URL(url).search : undefined;
    return [query, auth?.kind === 'basic' ? auth.password : auth?.token];
  }
  return source.kind === 'sftp'
    ? [source.password, source.private_key, source.passphrase]
    : [source.password];
}

/** The incoming webhooks of chats have their secret behind the host. */
function pathOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  return path.length < SHORTEST_PATH ? undefined : path;
}
