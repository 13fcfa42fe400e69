import { OperatorFault } from '../../model/operator-fault.ts';

/**
 * One word of a list in a unit file, in quotes where it needs them (systemd.syntax, "Quoting"). Percent signs would be
 * specifiers.
 */
export function systemdWord(text: string): string {
  const plain = systemdPath(text);
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(plain)) return plain;
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** A value that is the whole rest of the line, and is not taken apart. */
export function systemdPath(text: string): string {
  if (/\p{Cc}/u.test(text)) {
    throw new OperatorFault(
      `${JSON.stringify(text)} cannot stand in a unit file: it holds a control character.`,
    );
  }
  return text.replaceAll('%', '%%');
}
