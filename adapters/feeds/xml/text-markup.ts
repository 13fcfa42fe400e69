/** Elements that stand inside of texts when a vendor puts the HTML of a description into its XML as it is. */
const MARKUP = new Set(
  'a b big blockquote br center div em font h1 h2 h3 h4 h5 h6 hr i li ol p small span strong sub sup u ul'.split(
    ' ',
  ),
);

const WITHOUT_CONTENT = new Set(['br', 'hr']);

export function isMarkup(name: string): boolean {
  return MARKUP.has(name.toLowerCase());
}

/** The element as it stood in the text around it, without its attributes. */
export function asMarkup(name: string, content: string): string {
  return WITHOUT_CONTENT.has(name.toLowerCase()) ? `<${name}>` : `<${name}>${content}</${name}>`;
}
