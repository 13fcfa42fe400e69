import { A2A_VERSION, AAP_EXTENSION_URI } from '../model/protocol.ts';
import { a2aError } from './errors.ts';
import type { RpcError } from './errors.ts';
import { shorten } from './shorten.ts';

const SERVED_VERSION = /^1\.0(\.\d+)?$/;
const MAX_ECHOED_CHARACTERS = 40;

/**
 * A2A section 3.6: the header says which version is spoken; the query stands in where no header came. Empty means
 * 0.3, which is not served; nothing at all is served unless the dealer asks for the header. Clients whose user sets
 * the header as well send it twice: that is one version as long as both say the same.
 */
export function refuseVersion(
  header: string | undefined,
  query: URLSearchParams,
  headerRequired: boolean,
): RpcError | undefined {
  const asked = header ?? queriedVersion(query);
  if (asked === undefined && !headerRequired) return undefined;
  if (asked === A2A_VERSION) return undefined;
  const version = (asked ?? '').trim();
  if (version.split(',').every((one) => SERVED_VERSION.test(one.trim()))) return undefined;
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

function queriedVersion(query: URLSearchParams): string | undefined {
  const versions = query.getAll('A2A-Version');
  return versions.length === 0 ? undefined : versions.join(', ');
}

/** Whether the AAP extension stands in the comma list of A2A-Extensions. Values keep their case. */
export function activatesAap(header: string | undefined): boolean {
  return header?.split(',').some((uri) => uri.trim() === AAP_EXTENSION_URI) ?? false;
}

export function refuseWithoutAap(activated: boolean, required: boolean): RpcError | undefined {
  if (activated || !required) return undefined;
  return a2aError(
    'EXTENSION_SUPPORT_REQUIRED',
    `This agent needs the header A2A-Extensions with ${AAP_EXTENSION_URI}`,
    { extensionUri: AAP_EXTENSION_URI, requiredHeader: 'A2A-Extensions' },
  );
}
