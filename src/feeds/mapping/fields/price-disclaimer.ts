/** Longer ones are told by their beginning. */
const LONGEST_NOTE = 5000;

/** Says that something is not inside, or comes on top. */
const EXCLUSION =
  /\b(not|non|without|exclud\w*|exclu\w*|excl|exclusive of|except\w*|other than|before|prior to|plus|additional\w*|extra|separate\w*|added|adds?(?![- ]?ons?\b)|on top|subject to|appl(?:y|ies)|is charged|are charged|be charged|avant|hors|sans|en sus|sin|antes de)\b|\bno\b(?=.*\binclu)|n't\b|\bw\/o\b|\+|\bm[aá]s\s/i;
const INCLUSION = /\b(includ\w*|inclus\w*|incl\b|incluye\w*|comprend\w*|compris\w*|built in|inside)/i;

/** A charge by name: whoever names it and does not say that it is inside leaves it to doubt. */
const CHARGE =
  /\b(fees?|charges?|(?:is|are|be) charged|surcharges?|market (?:value )?adjustments?|mark-?ups?|addendums?|frais|honoraires|honorarios|gastos|cargos? (?:de|por|adicional\w*))\b/i;
/** What a charge may be for, and many another thing: a charge where it is left out, or has an amount. */
const SERVICE =
  /\b(documentation|documentaci[oó]n|docs?|prep\w*|freight|destination|transport\w*|add[- ]?ons?|accessor\w+|accesorios?|handling|recond\w*|protection package|processing|pre-?installed|dealer[- ]installed|installed (?:options|equipment)|nitrogen|etch\w*)\b/i;
const AMOUNT = /\$\s?\d|\d\s?(?:dollars|usd)\b/i;

/** Charges of the state may be outside of an all-in price (aap-v1.3 section 4). */
const STATE =
  '(?:state|local|county|city|federal|government(?:al)?|govt|gov|sales|tax(?:es)?|titl(?:e|es|ing)|licen[cs](?:e|es|ing)|registrations?|reg|tags?|plates?|dmv|mva|impuestos|placas|matr[ií]cula|immatriculation|permis|gouvernementa(?:l|ux))';
const OF_THE_STATE = new RegExp(
  `\\b${STATE}(?:(?:\\s*[,/&]\\s*|\\s+)(?:and\\s+|or\\s+)?${STATE})*\\s+(?:fees?|charges?)\\b|\\b(?:frais|gastos)\\s+(?:de\\s+|d['e]\\s?)?${STATE}\\b`,
  'gi',
);
/** Words of charges that nobody has to pay to the dealer for the car. */
const NO_CHARGE =
  /\bfree of charge\b|\bfinanc(?:e|ing) charges?\b|\b(?:fast|quick|level \d|battery|ev|home|dc)[- ]charg\w+|\bcharg(?:e|ing) (?:ports?|times?|levels?|cables?|cords?|stations?|cards?)\b|\boptional (?:add-?ons?|accessor\w+|equipment|products?|services?)\b/gi;
/** `No dealer fees`, `$0 doc fee`, `we never charge doc fees`. */
const DENIED =
  /(?:\b(?:no|zero|never any|without any|(?:do not|don't|never) charge(?: (?:any|you))?)|\$0)\s+(?:(?:hidden|dealer|doc|documentation|extra|additional|processing|handling|prep|reconditioning|market|junk|surprise|or|and|any)[\s,/]+)*(?:fees?|charges?|add-?ons?|(?:market )?adjustments?|mark-?ups?|addendums?)\b/gi;

/**
 * Whether the note beside a price says that some charge of the dealer comes on top ("does not include … documentation
 * fee"), or names one and leaves open whether it is inside. Such a price can never be published as the all-in price. When in
 * doubt the answer is yes: a price left out costs less than a wrong one.
 */
export function excludesCharges(disclaimer: string): boolean {
  return sentencesOf(disclaimer).some(leavesOutCharge);
}

/** A full stop within a number or a short word ends none. */
export function sentencesOf(note: string): string[] {
  return note
    .slice(0, LONGEST_NOTE)
    .replaceAll('’', "'")
    .split(/[;!?\n|•]+|(?<=[^.\s]{3})\.(?:\s+|$)/)
    .filter((sentence) => sentence.trim() !== '');
}

function leavesOutCharge(sentence: string): boolean {
  const text = sentence.replace(OF_THE_STATE, ' ').replace(NO_CHARGE, ' ');
  const inside = text.search(INCLUSION);
  const outside = text.search(EXCLUSION);
  if (inside >= 0 && (outside < 0 || inside < outside)) {
    const rest = outside < 0 ? '' : text.slice(outside);
    return CHARGE.test(rest) || SERVICE.test(rest);
  }
  const told = inside < 0 ? text.replace(DENIED, ' ') : text;
  return CHARGE.test(told) || (SERVICE.test(told) && (EXCLUSION.test(told) || AMOUNT.test(told)));
}
