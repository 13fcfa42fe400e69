import { normaliseColumn } from '../../model/column.ts';

/**
 * Columns that ride along in exports and belong to the dealer alone: what a vehicle cost, who owned it, where the
 * leads go. No profile can publish them, and reports do not show their values. Compared exactly, as all names.
 */
const NEVER_PUBLISHED = new Set(
  [
    ...['invoice', 'invoice amt', 'invoice amount', 'invoice price', 'invoice cost', 'dealer invoice'],
    ...[
      'cost',
      'unit cost',
      'dealer cost',
      'cost price',
      'price cost',
      'vehicle cost',
      'total cost',
      'net cost',
    ],
    ...['base cost', 'actual cost', 'inventory cost', 'acquisition cost', 'purchase cost', 'purchase price'],
    ...[
      'recon cost',
      'reconditioning cost',
      'recon',
      'balance',
      'gl balance',
      'price wholesale',
      'wholesale',
    ],
    ...[
      'wholesale price',
      'wholesale value',
      'book value',
      'trade value',
      'acv',
      'actual cash value',
      'appraisal',
    ],
    ...['appraised value', 'holdback', 'hold back', 'pack', 'dealer pack', 'dealer discounted', 'gross'],
    ...[
      'front gross',
      'gross profit',
      'profit',
      'margin',
      'commission',
      'spiff',
      'minimum price',
      'floor price',
    ],
    ...[
      'lowest price',
      'reserve price',
      'total dealer rebate',
      'dealer crm email',
      'crm email',
      'lead email',
    ],
    ...[
      'leads email',
      'lead e-mail',
      'email leads',
      'previous owner',
      'prior owner',
      'owner name',
      'customer name',
    ],
    ...['inv amt', 'inv amount', 'net invoice', 'gl bal', 'einkaufspreis', 'ek preis', 'prix achat'],
    ...['key code', 'key number', 'keycode', 'purchased from', 'vendor name', 'buyer name'],
  ].map(normaliseColumn),
);

/** Families of such columns: everything that begins like this. */
const NEVER_PUBLISHED_BEGINNINGS = ['floorplan', 'lockbox', 'miscprice'];

/** `name` is a column or an XML path; one secret step is enough. */
export function isNeverPublished(name: string): boolean {
  return name.split('/').some((step) => {
    const column = normaliseColumn(step.replace(/^@/, ''));
    return (
      NEVER_PUBLISHED.has(column) ||
      NEVER_PUBLISHED_BEGINNINGS.some((beginning) => column.startsWith(beginning))
    );
  });
}
