import type { Vehicle } from '../../src/model/vehicle.ts';

/** The rooftops of the demo, and what every sample in samples/feeds/formats says of a vehicle that several have. */

export const HPM01 = { dealer_id: 'HPM01', rooftop: 'Harbor Point Motors' };
export const CRA02 = { dealer_id: 'CRA02', rooftop: 'Cedar Ridge Auto Center' };
export const LPO03 = { dealer_id: 'LPO03', rooftop: 'Lakeview Pre-Owned' };

/** Addresses of the samples: `photos('hpm01/hf6101', 1, 2)`. */
export function photos(place: string, ...numbers: number[]): string[] {
  return numbers.map((number) => `https://img.example.com/${place}/${String(number)}.jpg`);
}

export const FIESTA = {
  ...HPM01,
  stock: 'HP-UK-01',
  vehicle_id: 'HP-UK-01',
  year: 2019,
  make: 'Ford',
  model: 'Fiesta',
  trim: '1.0 EcoBoost Active 5dr',
  body: 'hatchback',
  condition: 'used',
  mileage: 31200,
  transmission: 'manual',
  displacement_cc: 998,
  fuel: 'gas',
  exterior_color: 'Chrome Blue',
  photos: photos('hpm01/hp-uk-01', 1, 2),
  vdp_url: 'https://www.harborpointmotors.example.com/vehicles/hp-uk-01',
  other_attributes: { registration: 'ZZ19 TST', doors: 5 },
} satisfies Partial<Vehicle>;

export const CORSA = {
  ...LPO03,
  stock: 'LP-UK-03',
  vehicle_id: 'LP-UK-03',
  year: 2026,
  make: 'Vauxhall',
  model: 'Corsa',
  trim: '1.2 Design 5dr',
  body: 'hatchback',
  condition: 'new',
  mileage: 12,
  transmission: 'manual',
  displacement_cc: 1199,
  fuel: 'gas',
  exterior_color: 'Arctic White',
  photos: photos('lpo03/lp-uk-03', 1),
  vdp_url: 'https://www.lakeviewpreowned.example.com/vehicles/lp-uk-03',
  other_attributes: { doors: 5 },
} satisfies Partial<Vehicle>;

export const PILOT = {
  vin: '5FNYG1H40PB061002',
  stock: 'HF6102',
  year: 2023,
  make: 'Honda',
  model: 'Pilot',
  trim: 'EX-L',
  condition: 'cpo',
  list_price: 38450,
  mileage: 21877,
  exterior_color: 'Platinum White Pearl',
} satisfies Partial<Vehicle>;

export const OUTBACK = {
  ...CRA02,
  vin: '4S4BTACCXM3062002',
  year: 2021,
  make: 'Subaru',
  model: 'Outback',
  trim: 'Premium',
  condition: 'used',
  stock: 'CR6202',
  body: 'wagon',
  mileage: 50331,
  exterior_color: 'Autumn Green',
} satisfies Partial<Vehicle>;

export const TACOMA = {
  ...LPO03,
  vin: '3TMCZ5AN4KM063001',
  year: 2019,
  make: 'Toyota',
  model: 'Tacoma',
  trim: 'SR5',
  condition: 'used',
  list_price: 28995,
  mileage: 73410,
  exterior_color: 'Cement',
} satisfies Partial<Vehicle>;

export const SCOUT = {
  ...LPO03,
  vehicle_type: 'motorcycle',
  vin: '56KMTA119K3063003',
  year: 2019,
  make: 'Indian',
  model: 'Scout',
  condition: 'used',
  mileage: 6120,
  fuel: 'gas',
  exterior_color: 'Thunder Black',
  photos: photos('lpo03/00633', 1),
} satisfies Partial<Vehicle>;

export const SANTA_FE = {
  ...CRA02,
  vin: '5NMP2DGL7TH062001',
  year: 2026,
  make: 'Hyundai',
  trim: 'SEL',
  condition: 'new',
  list_price: 38120,
  mileage: 14,
} satisfies Partial<Vehicle>;

export const COROLLA = {
  ...CRA02,
  vin: '5YFBURHE3KP062003',
  year: 2019,
  make: 'Toyota',
  trim: 'LE',
  condition: 'used',
  list_price: 15490,
  mileage: 60120,
} satisfies Partial<Vehicle>;

export const SOUL = {
  ...LPO03,
  vin: 'KNDJP3A53J7063002',
  year: 2018,
  make: 'Kia',
  model: 'Soul',
  condition: 'used',
  mileage: 88040,
} satisfies Partial<Vehicle>;

export const ESCAPE = {
  ...HPM01,
  vin: '1FMCU9GN8TUA61001',
  year: 2026,
  make: 'Ford',
  model: 'Escape',
  trim: 'Active',
  condition: 'new',
  list_price: 31245,
  mileage: 9,
  exterior_color: 'Space White',
  interior_color: 'Ebony',
} satisfies Partial<Vehicle>;
