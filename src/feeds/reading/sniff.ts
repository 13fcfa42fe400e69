/** What else than an inventory export a file may be, told by its first bytes. For the refusal's sentence. */

const BINARY_KINDS: readonly { readonly magic: Buffer; readonly kind: string }[] = [
  kind('%PDF-', 'a PDF document'),
  kind('PK\x03\x04', 'an archive inside of an archive'),
  kind('\x1f\x8b', 'an archive inside of an archive'),
  kind('\xd0\xcf\x11\xe0', 'an old Excel workbook or Word document; export the inventory as CSV'),
  kind('\x89PNG', 'a picture'),
  kind('\xff\xd8\xff', 'a picture'),
  kind('GIF8', 'a picture'),
  kind('Rar!', 'a RAR archive; send a ZIP archive or the plain file'),
  kind('7z\xbc\xaf', 'a 7-Zip archive; send a ZIP archive or the plain file'),
  kind('BZh', 'a bzip2 archive; send a ZIP archive or the plain file'),
  kind('\xfd7zXZ', 'an xz archive; send a ZIP archive or the plain file'),
  kind('\x28\xb5\x2f\xfd', 'a zstd archive; send a ZIP archive or the plain file'),
  kind('SQLite format 3', 'a database'),
  kind('\x7fELF', 'a program'),
  kind('MZ\x90', 'a program'),
  kind('{\\rtf', 'a word processor document; export the inventory as CSV'),
];

function kind(magic: string, name: string): { magic: Buffer; kind: string } {
  return { magic: Buffer.from(magic, 'latin1'), kind: name };
}

export function recogniseBinary(head: Buffer): string | undefined {
  // A tar archive begins with the name of its first file.
  if (head.toString('latin1', 257, 262) === 'ustar')
    return 'a tar archive; send a ZIP archive or the plain file';
  return BINARY_KINDS.find(({ magic }) => head.subarray(0, magic.length).equals(magic))?.kind;
}

/** Prolog, comments and blanks may stand before the first tag. */
const BEFORE_FIRST_TAG = /^(?:\s+|<\?[^>]*\?>|<!--[\s\S]*?-->)*/;
const WEB_PAGE = /^<(?:!doctype\s+html\b|(?:html|head|body)[\s>])/i;

/** An error or login page that a downloader saved under the feed's name. */
export function isWebPage(beginning: string): boolean {
  const skipped = BEFORE_FIRST_TAG.exec(beginning)?.[0].length ?? 0;
  return WEB_PAGE.test(beginning.slice(skipped));
}
