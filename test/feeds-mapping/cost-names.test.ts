import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isNeverPublished } from '../../src/feeds/profile/never-published.ts';

/** Names as exports write them; the second of each line is the same without its blanks, as wildcards meet it. */
describe('a name that tells of cost', () => {
  it.each([
    ...['Cost', 'Invoice', 'Invoice Amt', 'Holdback', 'ACV', 'BookValue', 'Pack', 'Pack Amount', 'Unit Cost'],
    ...['Black Book Value', 'Floorplan Company', 'Flooring', 'Dealer Net', 'Cost Amount', 'Cost Note'],
    ...['Feature Cost', 'featurecost', 'Buy Price', 'Purchase Amount', 'Amount Paid', 'Price Paid', 'Lender'],
    ...[
      'KBB',
      'KBB Trade-In',
      'MMR',
      'mmr_value',
      'Salesperson',
      'Sales Person',
      'Trade Value',
      'Wholesale Price',
    ],
    ...['Costo', 'Coste', 'Costo Vehículo', 'Precio de compra', 'Precio de Costo', 'Coût', 'Prix coûtant'],
    ...[
      "Prix d'achat",
      'Prix d’achat',
      'Prix de revient',
      'Einkaufspreis',
      'EK-Preis',
      'Händlereinkaufspreis',
    ],
    ...["Prezzo d'acquisto", 'Prezzo di costo', 'Preço de custo', 'Preço de compra', 'Custo', 'VehCost'],
    ...[
      'pricing/cost',
      'prices/@invoice',
      'price[@kind=Dealer Net]',
      'Misc_Price1',
      'Lockbox Code',
      'TotalCost',
    ],
    ...['Front Gross', 'Gross Profit', 'Commission', 'Recon Cost', 'Internet_x0020_Cost', 'Lead E-Mail'],
  ])('%s is never published', (name) => {
    expect(isNeverPublished(name)).toBe(true);
  });

  it.each([
    ...['Package', 'Packages', 'Payload', 'Horsepower', 'Backup camera', 'Battery Pack', 'Option Pack'],
    ...[
      'Low-cost financing',
      'Annual Fuel Cost',
      'Cost to own',
      'No Cost Maintenance',
      'Costa Rica',
      'Accosted',
    ],
    ...[
      'Gross Vehicle Weight',
      'GVWR',
      'Gross Weight',
      'Flooring Material',
      'Floors',
      'Custom',
      'Customer Rating',
    ],
    ...[
      'Commission Number',
      'Kommissionsnummer',
      'Is Wholesale',
      'Recon Status',
      'Net Price',
      'Price',
      'Retail',
    ],
    ...['MSRP', 'Internet Price', 'Value', 'Balance Shaft', 'Grossissement', 'Marginal', 'Blackout Package'],
    ...[
      'Blend',
      'Accessory',
      'image[0].url',
      'New/Used',
      'Coutance',
      'Paid Off',
      'Trade-In Assistance',
      'Books',
    ],
  ])('%s is not one', (name) => {
    expect(isNeverPublished(name)).toBe(false);
  });

  it('is none by which exports call a field of the listing', async () => {
    const file = fileURLToPath(new URL('../../config/aliases.yaml', import.meta.url));
    const { fields } = parse(await readFile(file, 'utf8')) as { fields: Record<string, string[]> };
    expect(Object.values(fields).flat().filter(isNeverPublished)).toEqual([]);
  });
});
