import { a2aError } from './errors.ts';
import type { RpcError } from './errors.ts';
import { shorten } from './shorten.ts';

/** Names AAP 1.3; another version of it is another URI and no match (A2A section 4.6). */
export const AAP_EXTENSION_URI = 'https://autoagentprotocol.org/extensions/aap/v1.3';

/** Major and minor number of A2A: a patch number never appears on the wire. */
export const A2A_VERSION = '1.0';

const SERVED_VERSION = /^1\.0(\.\d+)?$/;
const MAX_ECHOED_CHARACTERS = 40;

/**
 * A2A section 3.6: the header says which version is spoken; the query stands in where no header came. Empty means
 * 0.3, which is not served; nothing at all is served unless the dealer asks for the header.
 */
export function refuseVersion(
  header: string | undefined,
  query: URLSearchParams,
  headerRequired: boolean,
): RpcError | undefined {
  const asked = header ?? query.get('A2A-Version') ?? undefined;
  if (asked === undefined && !headerRequired) return undefined;
  const version = (asked ?? '').trim();
  if (SERVED_VERSION.test(version)) return undefined;
  const named = version === '' ? '0.3' : shorten(version, MAX_ECHOED_CHARACTERS);
  const message =
    asked === undefined
      ? `The header A2A-Version is missing; this agent speaks ${A2A_VERSION}`
      : `A2A version ${named} is not served; this agent speaks ${A2A_VERSION}`;
  return a2aError('VERSION_NOT_SUPPORTED', message, {
    ...(asked === undefined ? {} : { requestedVersion: named }),
    supportedVersions: A2A_VERSION,
  });
}

/** Whether the AAP extension stands in the comma list of A2A-Extensions. Values keep their case. */
export function activatesAap(header: string | undefined): boolean {
  return (header ?? '').split(',').some((uri) => uri.trim() === AAP_EXTENSION_URI);
}

export function refuseWithoutAap(activated: boolean, required: boolean): RpcError | undefined {
  if (activated || !required) return undefined;
  return a2aError(
    'EXTENSION_SUPPORT_REQUIRED',
    `This agent needs the header A2A-Extensions with ${AAP_EXTENSION_URI}`,
    { extensionUri: AAP_EXTENSION_URI, requiredHeader: 'A2A-Extensions' },
  );
}
