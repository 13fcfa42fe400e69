import { isMailAddress, unknownPlaces } from '../../../src/adapters/index.ts';
import type { Problem } from '../../../src/adapters/index.ts';
import { checkLogin, isRsaKey } from './check-login.ts';
import { fault } from './fault.ts';
import type { Options } from './options.ts';
import { recipientLists } from './recipients.ts';
import { SUBJECT_PLACES } from './subject.ts';

export function check(options: Options): Problem[] {
  return [
    ...checkAddresses(options),
    ...checkSubject(options),
    ...checkLogin(options),
    ...checkDkim(options),
  ];
}

/** Each entry one plain address: with a comma in it, a mail would go to two people. */
function checkAddresses({ from, to }: Options): Problem[] {
  const addresses = [
    { path: 'from.address', address: from.address },
    ...recipientLists(to).flatMap(({ path, addresses }) =>
      addresses.map(({ address }, index) => ({ path: `${path}[${index}].address`, address })),
    ),
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

/** The key is a secret and is not told. */
function checkDkim({ dkim }: Options): Problem[] {
  if (dkim === undefined || isRsaKey(dkim.key)) return [];
  return [fault('dkim.key', 'is no RSA key in PEM', 'Write ${file:/path} with the key file.')];
}
