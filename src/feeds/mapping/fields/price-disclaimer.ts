const EXCLUSION =
  /\b(not|without|exclud\w*|except\w*|before|plus|additional|extra|subject to|may apply)\b|n't\b|\+/i;
const CHARGE =
  /\b(fees?|charges?|documentation|docs?|doc\.|dealer prep\w*|freight|destination|add[- ]?ons?|accessor\w+)\b/i;

/**
 * Whether the note beside a price says that some charge comes on top ("does not include … documentation fee").
 * Such a price can never be published as the all-in price. When in doubt the answer is yes: a price left out
 * costs less than a wrong one.
 */
export function excludesCharges(disclaimer: string): boolean {
  const text = disclaimer.slice(0, 5000).replaceAll('’', "'");
  return EXCLUSION.test(text) && CHARGE.test(text);
}
