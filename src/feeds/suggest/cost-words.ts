/**
 * Words that tell of money of the dealer's own, wherever they stand in a column's name. Names are otherwise compared
 * whole; here a column too many that stays inside does no harm, and one too few would.
 */
const COST_WORDS = new Set([
  ...['cost', 'costs', 'invoice', 'holdback', 'acv', 'wholesale', 'floorplan', 'recon', 'reconditioning'],
  ...['profit', 'margin', 'gross', 'commission', 'payoff', 'lienholder', 'pack', 'einkaufspreis'],
  ...['cout', 'spiff'],
]);

/** Whether a word of the name, as blanks, punctuation and capitals part it, tells of cost. */
export function tellsOfCost(name: string): boolean {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => COST_WORDS.has(word));
}
