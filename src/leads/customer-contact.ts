/** Fewer digits than this would match strangers. */
const MIN_DIGITS = 7;

/**
 * Whether a contact that a person typed is the customer's e-mail address, whatever its case, or phone number, however
 * it is written and with or without the country code 1.
 */
export function sameContact(contact: string, email: string | null, phone: string | null): boolean {
  const typed = contact.trim();
  if (typed.includes('@')) return email !== null && email.trim().toLowerCase() === typed.toLowerCase();
  const digits = national(typed);
  return phone !== null && digits.length >= MIN_DIGITS && national(phone) === digits;
}

/** The digits alone; those of North America without their country code. */
function national(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}
