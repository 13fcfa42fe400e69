/** What people and agents write where they know nothing. */
const NO_NAME =
  /^(?:N\/?A|NONE|NULL|NIL|UNKNOWN|UNDEFINED|TBD|TBA|ANY|OTHER|NOT[ -]?(?:KNOWN|GIVEN|AVAILABLE)|[\W_0]*)$/u;

/** Blanks, `N/A` and the like name nothing. */
export function isNamed(text: string | undefined): text is string {
  return (
    text !== undefined && !NO_NAME.test(text.normalize('NFKC').trim().replace(/\s+/g, ' ').toUpperCase())
  );
}
