import type { StagedVehicle } from '../src/model/intake.ts';
import type { Vehicle, VehicleType } from '../src/model/vehicle.ts';

/**
 * A made-up dealer group with the shape of real ones: few makes hold most cars, trims belong to models, used cars
 * have miles and some have no price, a few motorcycles and EVs, three to ten rooftops, about 1.5 KB of JSON each.
 * The same seed and size give the same vehicles.
 */
export function* generateVehicles(count: number, seed = 1): Iterable<StagedVehicle> {
  const random = seededRandom(seed);
  const rooftops = ROOFTOPS.slice(0, count < 2_000 ? 3 : count < 50_000 ? 6 : 10);
  for (let row = 1; row <= count; row++) yield stagedVehicle(row, random, rooftops);
}

/** When the generated file was written. */
export const CONFIRMED_AT = Date.UTC(2026, 8, 16, 6, 0, 0);

type Random = () => number;

interface ModelShape {
  make: string;
  model: string;
  trims: readonly string[];
  body: string;
  msrp: number;
  fuel?: 'hybrid' | 'bev';
  type?: VehicleType;
}

export const ROOFTOPS = [
  'North',
  'South',
  'East',
  'West',
  'Lakeside',
  'Airport',
  'Downtown',
  'Hillside',
  'Riverside',
  'Valley',
].map((name, index) => ({ id: `GRP${String(index + 1).padStart(2, '0')}`, name: `Generic ${name} Auto` }));

/** Most frequent first: a model is picked with a share that falls with its place. */
const MODELS: readonly ModelShape[] = [
  {
    make: 'Ford',
    model: 'F-150',
    trims: ['XL', 'XLT', 'Lariat', 'King Ranch', 'Platinum', 'Raptor'],
    body: 'Truck',
    msrp: 52_000,
  },
  {
    make: 'Chevrolet',
    model: 'Silverado 1500',
    trims: ['WT', 'Custom', 'LT', 'RST', 'LTZ', 'High Country'],
    body: 'Truck',
    msrp: 50_000,
  },
  {
    make: 'Toyota',
    model: 'RAV4',
    trims: ['LE', 'XLE', 'XLE Premium', 'Adventure', 'Limited'],
    body: 'SUV',
    msrp: 33_000,
  },
  {
    make: 'Honda',
    model: 'CR-V',
    trims: ['LX', 'EX', 'EX-L', 'Sport Touring Hybrid'],
    body: 'SUV',
    msrp: 34_000,
  },
  { make: 'Toyota', model: 'Camry', trims: ['LE', 'SE', 'XLE', 'XSE', 'TRD'], body: 'Sedan', msrp: 30_000 },
  {
    make: 'Honda',
    model: 'Civic',
    trims: ['LX', 'Sport', 'EX', 'Touring', 'Si', 'Type R'],
    body: 'Sedan',
    msrp: 27_000,
  },
  {
    make: 'Ford',
    model: 'Explorer',
    trims: ['Base', 'XLT', 'ST-Line', 'Limited', 'ST', 'Platinum'],
    body: 'SUV',
    msrp: 45_000,
  },
  {
    make: 'Jeep',
    model: 'Grand Cherokee',
    trims: ['Laredo', 'Altitude', 'Limited', 'Overland', 'Summit'],
    body: 'SUV',
    msrp: 47_000,
  },
  { make: 'Nissan', model: 'Rogue', trims: ['S', 'SV', 'SL', 'Platinum'], body: 'SUV', msrp: 32_000 },
  {
    make: 'Hyundai',
    model: 'Tucson',
    trims: ['SE', 'SEL', 'XRT', 'N Line', 'Limited'],
    body: 'SUV',
    msrp: 31_000,
  },
  {
    make: 'GMC',
    model: 'Sierra 1500',
    trims: ['Pro', 'SLE', 'Elevation', 'SLT', 'AT4', 'Denali'],
    body: 'Truck',
    msrp: 54_000,
  },
  {
    make: 'Toyota',
    model: 'Corolla',
    trims: ['L', 'LE', 'SE', 'XSE', 'Nightshade'],
    body: 'Sedan',
    msrp: 24_000,
  },
  { make: 'Kia', model: 'Sportage', trims: ['LX', 'EX', 'SX', 'X-Line', 'X-Pro'], body: 'SUV', msrp: 31_000 },
  {
    make: 'Subaru',
    model: 'Outback',
    trims: ['Base', 'Premium', 'Limited', 'Touring', 'Wilderness'],
    body: 'Wagon',
    msrp: 34_000,
  },
  {
    make: 'Tesla',
    model: 'Model 3',
    trims: ['Standard Range', 'Long Range', 'Performance'],
    body: 'Sedan',
    msrp: 42_000,
    fuel: 'bev',
  },
  {
    make: 'Mazda',
    model: 'CX-5',
    trims: ['Select', 'Preferred', 'Carbon Edition', 'Premium', 'Turbo'],
    body: 'SUV',
    msrp: 32_000,
  },
  {
    make: 'BMW',
    model: '3 Series',
    trims: ['330i', '330i xDrive', '330e', 'M340i'],
    body: 'Sedan',
    msrp: 48_000,
  },
  { make: 'Mercedes-Benz', model: 'GLC', trims: ['300', '300 4MATIC', 'AMG 43'], body: 'SUV', msrp: 52_000 },
  {
    make: 'Volkswagen',
    model: 'Tiguan',
    trims: ['S', 'SE', 'SE R-Line', 'SEL R-Line'],
    body: 'SUV',
    msrp: 33_000,
  },
  {
    make: 'Toyota',
    model: 'Prius',
    trims: ['LE', 'XLE', 'Limited'],
    body: 'Hatchback',
    msrp: 31_000,
    fuel: 'hybrid',
  },
  {
    make: 'Ford',
    model: 'F-150 Lightning',
    trims: ['Pro', 'XLT', 'Flash', 'Lariat'],
    body: 'Truck',
    msrp: 66_000,
    fuel: 'bev',
  },
  {
    make: 'Chevrolet',
    model: 'Equinox EV',
    trims: ['1LT', '2LT', '2RS', '3RS'],
    body: 'SUV',
    msrp: 38_000,
    fuel: 'bev',
  },
  { make: 'Lexus', model: 'RX', trims: ['350', '350h', '450h+', '500h F Sport'], body: 'SUV', msrp: 56_000 },
  {
    make: 'Ram',
    model: '1500',
    trims: ['Tradesman', 'Big Horn', 'Laramie', 'Rebel', 'Limited'],
    body: 'Truck',
    msrp: 53_000,
  },
  {
    make: 'Audi',
    model: 'Q5',
    trims: ['40 Premium', '45 Premium Plus', '45 Prestige'],
    body: 'SUV',
    msrp: 51_000,
  },
  { make: 'Dodge', model: 'Durango', trims: ['SXT', 'GT', 'R/T', 'SRT'], body: 'SUV', msrp: 46_000 },
  {
    make: 'Harley-Davidson',
    model: 'Street Glide',
    trims: ['Standard', 'ST', 'CVO'],
    body: 'Touring',
    msrp: 24_000,
    type: 'motorcycle',
  },
  {
    make: 'Honda',
    model: 'CRF450R',
    trims: ['Base', 'WE'],
    body: 'Off-road',
    msrp: 10_000,
    type: 'motorcycle',
  },
  { make: 'Volvo', model: 'XC60', trims: ['Core', 'Plus', 'Ultimate'], body: 'SUV', msrp: 50_000 },
  { make: 'Porsche', model: 'Macan', trims: ['Base', 'T', 'S', 'GTS'], body: 'SUV', msrp: 68_000 },
];

const COLORS = [
  'Oxford White',
  'Agate Black',
  'Iconic Silver',
  'Carbonized Gray',
  'Rapid Red Metallic',
  'Atlas Blue',
  'Summit White',
  'Black',
  'Shadow Gray Metallic',
  'Pearl White',
  'Soul Red Crystal',
  'Forest Green',
  'Urban Gray Pearl',
  'Baja Storm',
];
const INTERIORS = ['Black', 'Gray', 'Ebony Leather', 'Beige', 'Black Cloth', 'Saddle Brown', 'Red Leather'];
const FEATURES = [
  'Heated Seats',
  'Apple CarPlay',
  'Android Auto',
  'Blind Spot Monitor',
  'Adaptive Cruise Control',
  'Remote Start',
  'Power Liftgate',
  'Panoramic Roof',
  'Tow Package',
  'Navigation',
  'Leather Seats',
  'Third Row',
  'Wireless Charging',
  'Backup Camera',
  'Bose Audio',
  'Lane Keep Assist',
  'Keyless Entry',
  'Ventilated Seats',
];
const SENTENCES = [
  'One owner with a clean history report.',
  'Serviced here since new and ready for the road.',
  'New tires and brakes were fitted last month.',
  'Ask about our extended warranty and delivery to your door.',
  'Seats five in comfort with room for luggage.',
  'Towing capacity makes easy work of boats and trailers.',
  'Great fuel economy for the daily commute.',
  'Local trade, non-smoker, two keys.',
  'Passed our 150-point inspection.',
  'Come in for a test drive today.',
];
const VIN_CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ'.split('');

function stagedVehicle(row: number, random: Random, rooftops: typeof ROOFTOPS): StagedVehicle {
  const rooftop = pick(rooftops, random);
  const vehicle = makeVehicle(row, random, rooftop);
  const vin = vehicle.vin ?? '';
  return {
    row,
    line: row + 1,
    key: vin,
    rooftopId: rooftop.id,
    identity: `vin:${vin}`,
    vehicle,
    contentHash: `${row}`,
  };
}

function makeVehicle(row: number, random: Random, rooftop: { id: string; name: string }): Vehicle {
  const shape = MODELS[Math.floor(random() ** 2 * MODELS.length)] ?? pick(MODELS, random);
  const isNew = random() < 0.45;
  const year = isNew ? 2026 - Math.floor(random() * 2) : 2025 - Math.floor(random() ** 1.5 * 14);
  const age = 2026 - year;
  const amount = Math.round(shape.msrp * 0.88 ** age * (0.85 + random() * 0.4));
  const vin = makeVin(row, random);
  return {
    ...(shape.type === undefined ? {} : { vehicle_type: shape.type }),
    vin,
    stock: `${isNew ? 'N' : 'U'}${100_000 + row}`,
    dealer_id: rooftop.id,
    year,
    make: shape.make,
    model: shape.model,
    trim: pick(shape.trims, random),
    body: shape.body,
    condition: isNew ? 'new' : random() < 0.25 ? 'cpo' : 'used',
    status: random() < 0.9 ? 'available' : random() < 0.6 ? 'intransit' : 'pending',
    rooftop: rooftop.name,
    ...(isNew ? { msrp: shape.msrp } : {}),
    list_price: amount,
    ...(random() < 0.92 ? { price: amount + 599 } : {}),
    mileage: isNew ? Math.floor(random() * 40) : Math.floor(age * 11_000 * (0.5 + random())),
    ...powertrain(shape, random),
    exterior_color: pick(COLORS, random),
    interior_color: pick(INTERIORS, random),
    features: sample(FEATURES, 5 + Math.floor(random() * 6), random),
    photos: Array.from(
      { length: 8 },
      (_, index) => `https://img.example.com/${vin.toLowerCase()}/${index + 1}.jpg`,
    ),
    vdp_url: `https://www.example.com/inventory/${vin.toLowerCase()}`,
    description: sample(SENTENCES, 4, random).join(' '),
    inventory_date: new Date(CONFIRMED_AT - Math.floor(random() ** 2 * 200) * 86_400_000)
      .toISOString()
      .slice(0, 10),
  };
}

function powertrain(shape: ModelShape, random: Random): Vehicle {
  if (shape.type === 'motorcycle') {
    return { fuel: 'gas', transmission: 'Manual', displacement_cc: random() < 0.5 ? 450 : 1_868 };
  }
  const driveline = pick(['fwd', 'awd', 'rwd', '4wd'], random);
  if (shape.fuel === 'bev') {
    return {
      fuel: 'bev',
      transmission: 'Automatic',
      driveline,
      electric_range_mi: 230 + Math.floor(random() * 130),
      battery_kwh: 82,
      dc_fast_charge: random() < 0.95,
      charge_port: random() < 0.6 ? 'NACS' : 'CCS1',
    };
  }
  return {
    fuel: shape.fuel ?? (random() < 0.12 ? 'hybrid' : random() < 0.05 ? 'diesel' : 'gas'),
    transmission: random() < 0.93 ? 'Automatic' : 'Manual',
    driveline,
    engine: pick(['2.0L I4 Turbo', '2.5L I4', '3.5L V6', '5.0L V8', '1.5L I4 Turbo'], random),
    city_mpg: 18 + Math.floor(random() * 18),
    highway_mpg: 24 + Math.floor(random() * 18),
  };
}

/** Well-formed and unique by its last seven characters; the check digit is not kept. */
function makeVin(row: number, random: Random): string {
  const head = Array.from({ length: 10 }, () => pick(VIN_CHARACTERS, random)).join('');
  return head + String(row).padStart(7, '0');
}

function pick<T>(values: readonly T[], random: Random): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('Nothing to pick from');
  return value;
}

function sample<T>(values: readonly T[], count: number, random: Random): T[] {
  const rest = [...values];
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const [taken] = rest.splice(Math.floor(random() * rest.length), 1);
    return taken as T;
  });
}

/** Mulberry32: small, fast, and the same everywhere. */
function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
