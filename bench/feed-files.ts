import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Vehicle } from '../src/model/vehicle.ts';
import { vinCheckDigitFits } from '../src/model/vin.ts';
import { generateVehicles } from './lot-generator.ts';

/** Which edition of the made-up lot a file holds: in the second one vehicle in a hundred has a new price. */
export type Edition = 'first' | 'one percent changed';

const ROWS_A_PIECE = 500;

/** 60 columns as HomeNet names them, about 1.4 KB a row, quoted only where a value needs it. */
export function writeCsvFeed(file: string, rows: number, edition: Edition): Promise<void> {
  return writePieces(file, [`${CSV_COLUMNS.map(([name]) => name).join(',')}\r\n`], rows, edition, csvRow, '');
}

/** One `<item>` a vehicle as Dealer Spike names its parts, photos as numbered elements. */
export function writeXmlFeed(file: string, rows: number, edition: Edition): Promise<void> {
  const opening = ['<?xml version="1.0" encoding="utf-8"?>\n<items>\n'];
  return writePieces(file, opening, rows, edition, xmlItem, '</items>\n');
}

async function writePieces(
  file: string,
  opening: readonly string[],
  rows: number,
  edition: Edition,
  writeRow: (vehicle: Vehicle) => string,
  closing: string,
): Promise<void> {
  function* pieces(): Generator<string> {
    yield* opening;
    let piece = '';
    for (const { row, vehicle } of generateVehicles(rows)) {
      piece += writeRow(exported(vehicle, edition === 'one percent changed' && row % 100 === 0));
      if (row % ROWS_A_PIECE !== 0) continue;
      yield piece;
      piece = '';
    }
    yield piece + closing;
  }
  await pipeline(Readable.from(pieces()), createWriteStream(file));
}

/** With a VIN whose check digit is right, as in honest files; a wrong one would be told of every row. */
function exported(vehicle: Vehicle, hasNewPrice: boolean): Vehicle {
  const vin = vehicle.vin ?? '';
  const checked = Array.from('0123456789X', (digit) => `${vin.slice(0, 8)}${digit}${vin.slice(9)}`);
  const price = (vehicle.list_price ?? 0) + (hasNewPrice ? 500 : 0);
  return { ...vehicle, vin: checked.find(vinCheckDigitFits) ?? vin, list_price: price };
}

type CsvColumn = readonly [name: string, value: (vehicle: Vehicle) => string | number | undefined];

const CSV_COLUMNS: readonly CsvColumn[] = [
  ['VIN', ({ vin }) => vin],
  ['Stock', ({ stock }) => stock],
  ['DealerID', ({ dealer_id }) => dealer_id],
  ['Type', ({ condition }) => (condition === 'new' ? 'New' : 'Used')],
  ['Certified', ({ condition }) => (condition === 'cpo' ? 'True' : 'False')],
  ['Year', ({ year }) => year],
  ['Make', ({ make }) => make],
  ['Model', ({ model }) => model],
  ['Trim', ({ trim }) => trim],
  ['Body', ({ body }) => body],
  ['SellingPrice', ({ list_price }) => list_price],
  ['MSRP', ({ msrp }) => msrp],
  ['Miles', ({ mileage }) => mileage],
  ['Engine_Description', ({ engine }) => engine],
  ['Transmission', ({ transmission }) => transmission],
  ['Drivetrain', ({ driveline }) => driveline],
  ['Fuel_Type', ({ fuel }) => fuel],
  ['CityMPG', ({ city_mpg }) => city_mpg],
  ['HighwayMPG', ({ highway_mpg }) => highway_mpg],
  ['ExteriorColor', ({ exterior_color }) => exterior_color],
  ['InteriorColor', ({ interior_color }) => interior_color],
  ['Options', ({ features }) => features?.join(',')],
  ['ImageList', ({ photos }) => photos?.join(',')],
  ['vdp_link', ({ vdp_url }) => vdp_url],
  [
    'Description',
    ({ description, features }) => `${description ?? ''} Comes with ${features?.join(', ') ?? ''}.`,
  ],
  ['DateInStock', ({ inventory_date }) => inventory_date?.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1')],
  ['Invoice', ({ list_price }) => Math.round((list_price ?? 0) * 0.9)],
  ['BookValue', ({ list_price }) => Math.round((list_price ?? 0) * 0.95)],
  ['DealerName', ({ rooftop }) => rooftop ?? undefined],
  ['DealerCity', () => 'Springfield'],
  ...Array.from({ length: 30 }, (_, index): CsvColumn => {
    const number = index + 1;
    return [
      `Special Field ${number}`,
      ({ stock }) => (number % 2 === 0 ? `Package ${number} of ${stock ?? ''}` : undefined),
    ];
  }),
];

function csvRow(vehicle: Vehicle): string {
  return `${CSV_COLUMNS.map(([, value]) => csvCell(String(value(vehicle) ?? ''))).join(',')}\r\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function xmlItem(vehicle: Vehicle): string {
  const { features = [], photos = [], description = '' } = vehicle;
  const parts: Record<string, string | number | undefined> = {
    id: vehicle.stock,
    dealerid: vehicle.dealer_id,
    stock_number: vehicle.stock,
    vin: vehicle.vin,
    year: vehicle.year,
    make: vehicle.make,
    model: vehicle.model,
    bodysubtype: vehicle.body,
    vehtype: vehicle.vehicle_type ?? 'car',
    condition: vehicle.condition === 'new' ? 'New' : 'Used',
    status: 'available',
    price: vehicle.list_price,
    msrp: vehicle.msrp,
    miles: vehicle.mileage,
    transmission: vehicle.transmission,
    fueltype: vehicle.fuel,
    color: vehicle.exterior_color,
    accessories: features.join(','),
    url: vehicle.vdp_url,
    description,
    noteshtml: `<p>${description}</p><ul>${features.map((feature) => `<li>${feature}</li>`).join('')}</ul>`,
    dealername: vehicle.rooftop ?? undefined,
  };
  const elements = Object.entries(parts).map(([name, value]) => xmlElement(name, String(value ?? '')));
  const images = photos.map((photo, index) => xmlElement(`Image${index + 1}`, photo));
  return `<item>\n${elements.join('')}<images>\n${images.join('')}</images>\n</item>\n`;
}

function xmlElement(name: string, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `  <${name}>${escaped}</${name}>\n`;
}
