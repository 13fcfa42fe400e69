import { isNetwork } from '../model/ip-network.ts';
import type { Problem } from '../model/problem.ts';
import { isLoopback } from './loopback.ts';
import { quote } from './problems.ts';
import type { Review } from './review.ts';

/** Addresses, ports and limits that contradict each other. */
export function checkServer(review: Review): Problem[] {
  const { server, search } = review.file;
  const problems: Problem[] = [];
  const publicUrlFault = server?.public_url === undefined ? undefined : faultOf(server.public_url);
  if (publicUrlFault !== undefined) {
    problems.push(review.tell('CONFIG_PUBLIC_URL', '/server/public_url', { reason: publicUrlFault }));
  }
  if (publicUrlFault === undefined && server?.tls !== undefined && server.public_url?.startsWith('http:')) {
    problems.push(review.tell('CONFIG_PUBLIC_URL_PLAIN', '/server/public_url'));
  }
  for (const [index, proxy] of (server?.trusted_proxies ?? []).entries()) {
    if (proxy === undefined || isNetwork(proxy)) continue;
    problems.push(review.tell('CONFIG_PROXY', `/server/trusted_proxies/${index}`, { name: quote(proxy) }));
  }
  const { host, port, admin_host: adminHost, admin_port: adminPort } = server ?? {};
  if (port !== undefined && port !== 0 && port === adminPort && host === adminHost) {
    problems.push(review.tell('CONFIG_PORTS_EQUAL', '/server/admin_port', { port }));
  }
  const { default_limit: usual, max_limit: most } = search ?? {};
  if (usual !== undefined && most !== undefined && usual > most) {
    const facts = { smaller: `default_limit ${usual}`, larger: `max_limit ${most}` };
    problems.push(review.tell('CONFIG_LIMITS', '/search/default_limit', facts));
  }
  return problems;
}

/** The agent card must stand at the root of an https origin (aap-v1.3 section 1); plain http on this machine only. */
function faultOf(publicUrl: string): string | undefined {
  if (!URL.canParse(publicUrl)) return 'is no web address';
  const url = new URL(publicUrl);
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return 'must end after the host name';
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) return 'must begin with https://';
  return undefined;
}
