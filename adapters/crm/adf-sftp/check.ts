import { FILE_NAME_PLACES, unknownPlaces } from '../../../src/adapters/index.ts';
import type { Problem } from '../../../src/adapters/index.ts';
import type { Options } from './options.ts';

export function check(options: Options): Problem[] {
  return [...checkLogin(options), ...checkPlaces(options)];
}

/** The key is a secret and is not told. */
function checkLogin({ password, private_key: key, passphrase }: Options): Problem[] {
  const problems: Problem[] = [];
  if (password === undefined && key === undefined) {
    problems.push(fault('password', 'a login needs password or private_key, and both are missing'));
  }
  if (key !== undefined && !/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(key.trim())) {
    problems.push(
      fault('private_key', 'is no private key', 'Write ${file:/path} with the key file, not its .pub.'),
    );
  }
  if (passphrase !== undefined && key === undefined) {
    problems.push(fault('passphrase', 'there is no private_key that it could open'));
  }
  return problems;
}

function checkPlaces({ folder, name }: Options): Problem[] {
  const problems: Problem[] = [];
  if (/\p{Cc}/u.test(folder)) problems.push(fault('folder', 'holds a control character'));
  for (const place of unknownPlaces(name, FILE_NAME_PLACES)) {
    const places = FILE_NAME_PLACES.map((known) => `{${known}}`).join(', ');
    problems.push(fault('name', `nothing is known as {${place}}`, `Use ${places}.`));
  }
  if (!name.includes('{lead_id}')) {
    const message = 'the name has no {lead_id}, so that one lead would overwrite another';
    problems.push(fault('name', message, 'Put {lead_id} into it.'));
  }
  return problems;
}

function fault(path: string, message: string, remedy?: string): Problem {
  return {
    code: 'ADAPTER_OPTION_INVALID',
    message,
    ...(remedy === undefined ? {} : { remedy }),
    where: { path },
  };
}
