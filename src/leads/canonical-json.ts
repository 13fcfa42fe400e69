import { hash } from 'node:crypto';

/**
 * JSON with sorted keys and no blanks: two payloads that mean the same give the same text, whatever order their
 * sender wrote the members in. Members that are undefined are left out, as JSON does.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = value as Record<string, unknown>;
  let text = '';
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}
