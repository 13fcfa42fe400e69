import type { AttemptOutcome, Delivery, HttpDelivery } from '../../adapters/crm-adapter.ts';

/** How far a way goes without anything being sent on it. */
export type TriedWay =
  | { ok: true; told: string; /** What the server calls the time, as it writes it. */ serverTime?: string }
  | { ok: false; outcome: AttemptOutcome };

/**
 * Goes the way of a delivery up to where the lead would be handed over, and turns back: the login at a mail server or
 * over SFTP, connection, encryption and access token over HTTP. Files are left to whoever looks at folders.
 */
export async function tryWay(delivery: Exclude<Delivery, { kind: 'file' }>): Promise<TriedWay> {
  switch (delivery.kind) {
    case 'email': {
      const outcome = await (await import('./smtp.ts')).tryMailLogin(delivery.server);
      const hasLogin = delivery.server.user !== undefined;
      return outcome.stage === 'done'
        ? { ok: true, told: hasLogin ? 'the mail server takes the login' : 'the mail server answers' }
        : { ok: false, outcome };
    }
    case 'sftp': {
      const { server, folder } = delivery;
      const outcome = await (await import('./sftp.ts')).trySftpFolder(server, folder);
      return outcome.sent === 'yes'
        ? { ok: true, told: 'the server takes the login, and the folder is there' }
        : { ok: false, outcome };
    }
    case 'http':
      return tryAddress(delivery);
  }
}

/** Asks for the head of the first page: no address that takes leads is called, and none of our logins is shown. */
async function tryAddress({ url, tls, proxy, token, timeoutMs }: HttpDelivery): Promise<TriedWay> {
  const { requestOnce } = await import('./request.ts');
  if (token !== undefined) {
    const { accessToken } = await import('./access-token.ts');
    const asked = await accessToken(token);
    if (!asked.ok) {
      return { ok: false, outcome: { kind: 'http', sent: 'no', stage: 'token', error: asked.error } };
    }
  }
  const result = await requestOnce({
    method: 'HEAD',
    url: `${new URL(url).origin}/`,
    headers: {},
    body: '',
    ...(tls !== undefined && { tls }),
    ...(proxy !== undefined && { proxy }),
    timeoutMs,
  });
  const serverTime = result.answered ? result.headers.date : undefined;
  const told = token === undefined ? 'the server answers' : 'the server answers, and gives an access token';
  if (result.answered) return { ok: true, told, ...(serverTime !== undefined && { serverTime }) };
  const { stage, error } = result;
  // Encryption stands, and a server need not speak to everybody.
  if (stage === 'request') return { ok: true, told: 'the connection stands, though the server says nothing' };
  return { ok: false, outcome: { kind: 'http', sent: 'no', stage, error } };
}
