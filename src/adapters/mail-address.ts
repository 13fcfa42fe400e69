const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`);

/**
 * One plain ASCII address (RFC 5321 without quoted parts and address literals): nothing that a mail server or a
 * header could read as two addresses or as another line.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && text.indexOf('@') <= 64 && ADDRESS.test(text);
}
