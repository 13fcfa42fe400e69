import { normaliseColumn } from '../../model/column.ts';

/** Whole names, compared as all names are, without accents. */
const NAMES = new Set(
  [
    ...['acv', 'actual cash value', 'appraisal', 'appraised value', 'balance', 'gl balance', 'gl bal'],
    ...['minimum price', 'lowest price', 'floor price', 'reserve price', 'dealer discounted'],
    ...['pack', 'dealer pack', 'pack amount', 'pack amt', 'pack fee', 'dealer pack amount', 'flooring'],
    ...['gross', 'front gross', 'back gross', 'total gross', 'front end gross', 'back end gross'],
    ...['net dealer', 'dealer buy', 'buy price', 'bought for', 'paid', 'inv amt', 'inv amount'],
    ...['total dealer rebate', 'dealer crm email', 'crm email', 'lead email', 'leads email', 'email leads'],
    ...['previous owner', 'prior owner', 'owner name', 'customer name', 'buyer name', 'vendor name'],
    ...['purchased from', 'key code', 'key number', 'sold by', 'sales rep', 'salesrep', 'nada', 'marge'],
  ].map(normaliseColumn),
);

/** Words that say so wherever blanks, punctuation or capitals part them from the rest: `Feature Cost`, `VehCost`. */
const WORDS = new Set([
  ...[
    'cost',
    'costs',
    'invoice',
    'acv',
    'recon',
    'spiff',
    'margin',
    'profit',
    'commission',
    'lender',
    'payoff',
  ],
  ...['kbb', 'mmr', 'costo', 'costos', 'coste', 'costes', 'cout', 'couts', 'custo', 'custos', 'kosten'],
  ...['einkauf', 'margen'],
]);

/** So long that they are part of no other word, and so are found in names without any blank between their words. */
const PARTS = [
  ...['invoice', 'holdback', 'wholesale', 'lienholder', 'reconditioning', 'commission'],
  ...[
    'grossprofit',
    'dealernet',
    'dealercost',
    'vehiclecost',
    'unitcost',
    'netcost',
    'totalcost',
    'costprice',
  ],
  ...[
    'costamount',
    'costnote',
    'pricecost',
    'bookvalue',
    'blackbook',
    'tradevalue',
    'tradeinvalue',
    'loanvalue',
  ],
  ...[
    'purchaseprice',
    'purchaseamount',
    'purchasecost',
    'buyingprice',
    'pricepaid',
    'amountpaid',
    'paidprice',
  ],
  ...['acquisitionprice', 'salesperson', 'salesman'],
  // Spanish, French, German, Italian, Portuguese: what the vehicle was bought for.
  ...['preciodecompra', 'preciocompra', 'preciodecosto', 'preciocosto', 'preciodecoste', 'preciodefactura'],
  ...[
    'prixdachat',
    'prixachat',
    'prixcoutant',
    'prixderevient',
    'prixrevient',
    'prixdefacture',
    'montantdachat',
  ],
  ...['einkaufspreis', 'ekpreis', 'preisek', 'selbstkosten', 'anschaffungskosten', 'handlereinkauf'],
  ...['prezzodacquisto', 'prezzodiacquisto', 'prezzoacquisto', 'prezzodicosto', 'prezzofattura'],
  ...['precodecompra', 'precocompra', 'precodecusto', 'valordecompra', 'valorcompra'],
];

const BEGINNINGS = [
  'floorplan',
  'lockbox',
  'miscprice',
  'keycode',
  'kbb',
  'mmr',
  'nadatrade',
  'nadaloan',
  'nadaclean',
];

/** Where the words of a name are not parted: `featurecost`. */
const ENDINGS = ['cost', 'costs', 'kosten'];

/** The same words where they speak to the buyer (what driving costs him), or of no money: a number, a mark, a state. */
const HARMLESS = new RegExp(
  [
    ...['(?:fuel|energy|charging|running|operating|ownership|maintenance)costs?(?![a-z])', '(?:low|no)cost'],
    ...['costto(?:own|drive|charge)', 'costofownership', 'costfree', '^(?:is)?wholesale(?:flag|only|unit)$'],
    ...[
      '^iswholesale$',
      'recon(?:ditioning)?(?:status|stage|date|complete)',
      'commission(?:number|no|num|nr)$',
    ],
  ].join('|'),
);

/** Whether one name, not a path, tells of what a vehicle cost the dealer, or of what else is his alone. */
export function namesCost(spelled: string): boolean {
  const name = spelled.normalize('NFD').replace(/\p{M}/gu, '');
  const whole = normaliseColumn(name).replace(/['’$#:()]/g, '');
  if (whole === '') return false;
  if (NAMES.has(whole) || BEGINNINGS.some((beginning) => whole.startsWith(beginning))) return true;
  if (HARMLESS.test(whole)) return false;
  if (PARTS.some((part) => whole.includes(part)) || ENDINGS.some((ending) => whole.endsWith(ending)))
    return true;
  return wordsOf(name).some((word) => WORDS.has(word));
}

function wordsOf(name: string): string[] {
  return name
    .replace(/_x[0-9a-f]{4}_/gi, ' ')
    .replace(/([a-z])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}
