import { leadKind } from '../../../src/adapters/index.ts';
import type { LeadDocument, LeadKind, MailAddress } from '../../../src/adapters/index.ts';

/** Departments with an address of their own; `other` is what `default` is for. */
const DEPARTMENTS = ['new', 'used', 'service', 'trade_in'] as const satisfies readonly LeadKind[];

/** One list for all leads, or one a department and one for whatever has none of its own. */
export type Recipients =
  MailAddress[] | ({ default: MailAddress[] } & Partial<Record<(typeof DEPARTMENTS)[number], MailAddress[]>>);

export function recipientsOf(lead: LeadDocument, to: Recipients): MailAddress[] {
  if (Array.isArray(to)) return to;
  const department = DEPARTMENTS.find((name) => name === leadKind(lead));
  return (department === undefined ? undefined : to[department]) ?? to.default;
}

/** Every list with its place in the settings, such as `to` or `to.service`. */
export function recipientLists(to: Recipients): { path: string; addresses: MailAddress[] }[] {
  if (Array.isArray(to)) return [{ path: 'to', addresses: to }];
  return (['default', ...DEPARTMENTS] as const).flatMap((name) => {
    const addresses = to[name];
    return addresses === undefined ? [] : [{ path: `to.${name}`, addresses }];
  });
}
