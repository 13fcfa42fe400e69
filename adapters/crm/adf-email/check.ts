import { isMailAddress, unknownPlaces } from '../../../src/adapters/index.ts';
import type { Problem } from '../../../src/adapters/index.ts';
import type { Options } from './options.ts';
import { SUBJECT_PLACES } from './subject.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

export function check(options: Options): Problem[] {
  return [...checkAddresses(options), ...checkSubject(options), ...checkLogin(options)];
}

/** Each entry one plain address: with a comma in it, a mail would go to two people. */
function checkAddresses({ from, to }: Options): Problem[] {
  const addresses = [
    { path: 'from.address', address: from.address },
    ...to.map(({ address }, index) => ({ path: `to[${index}].address`, address })),
  ];
  return addresses
    .filter(({ address }) => !isMailAddress(address))
    .map(({ path, address }) =>
      fault(
        path,
        `${JSON.stringify(address)} is not one plain mail address`,
        'Write one address an entry, without a name.',
      ),
    );
}

function checkSubject({ subject }: Options): Problem[] {
  return unknownPlaces(subject, SUBJECT_PLACES).map((place) =>
    fault(
      'subject',
      `nothing is known as {${place}}`,
      `Use ${SUBJECT_PLACES.map((name) => `{${name}}`).join(', ')}.`,
    ),
  );
}

function checkLogin({ smtp }: Options): Problem[] {
  if ((smtp.user === undefined) !== (smtp.password === undefined)) {
    const missing = smtp.user === undefined ? 'user' : 'password';
    return [fault(`smtp.${missing}`, `a login needs user and password, and ${missing} is missing`)];
  }
  if (smtp.password !== undefined && smtp.security === 'none' && !LOOPBACK.test(smtp.host)) {
    return [
      fault(
        'smtp.security',
        'the password would cross the network unencrypted',
        'Use starttls or tls, or a relay without a login.',
      ),
    ];
  }
  return [];
}

function fault(path: string, message: string, remedy?: string): Problem {
  return {
    code: 'ADAPTER_OPTION_INVALID',
    message,
    ...(remedy === undefined ? {} : { remedy }),
    where: { path },
  };
}
