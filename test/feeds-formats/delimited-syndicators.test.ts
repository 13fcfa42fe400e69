import { describeFormat } from './delimited-format.ts';
import { ESCAPE, HPM01, OUTBACK, PILOT, SANTA_FE, TACOMA, photos } from './sample-vehicles.ts';
describeFormat({
  sample: 'autotrader.txt',
  encoding: 'windows-1252',
  delimiter: ',',
  keys: ['1FMCU9GN8TUA61001', '4S4BTACCXM3062002', 'KNDJP3A53J7063002'],
  vehicles: [
    {
      ...ESCAPE,
      stock: 'HF6101',
      body: 'suv',
      transmission: '8-Speed Automatic',
      driveline: 'awd',
      engine: '1.5L I3',
      fuel: 'gas',
      features: ['Heated Seats', 'Co-Pilot360'],
      photos: photos('hpm01/hf6101', 1, 2),
      description: 'In stock now,17 wheels – call “Harbor Point”',
    },
    {
      ...OUTBACK,
      list_price: 23480,
      transmission: 'cvt',
      driveline: 'awd',
      engine: '2.5L H4',
      fuel: 'gas',
      features: ['EyeSight'],
      photos: photos('cra02/cr6202', 1),
      description: 'Don’t miss it.',
    },
  ],
  rejections: [[4, 'condition_unknown', 'NewUsed', '']],
  warnings: [[3, 'price_missing', 'Price', '0']],
});

describeFormat({
  sample: 'carscom.txt',
  delimiter: '\t',
  keys: ['5NMP2DGL7TH062001', '4S4BTACCXM3062002', '1FM5K8GC4LGA61003'],
  vehicles: [
    {
      ...SANTA_FE,
      stock: 'CR6201',
      model: 'Santa Fe',
      body: 'suv',
      transmission: '8-Speed Automatic',
      engine: '2.5L I4 Turbo',
      exterior_color: 'Hampton Gray',
      interior_color: 'Black',
      features: ['Heated Seats', 'Tow Hitch'],
    },
    {
      ...OUTBACK,
      list_price: 23480,
      transmission: 'cvt',
      engine: '2.5L H4',
      interior_color: 'Black',
      features: ['EyeSight', '18" Wheels'],
    },
  ],
  rejections: [[4, 'condition_unknown', 'Type', 'Demo?']],
});

describeFormat({
  sample: 'pipe.txt',
  delimiter: '|',
  keys: ['1FMCU9GN8TUA61001', '4S4BTACCXM3062002', '3TMCZ5AN4KM063001'],
  vehicles: [
    {
      ...ESCAPE,
      transmission: '8-Speed Automatic',
      features: ['Heated Seats', 'Co-Pilot360'],
      photos: photos('hpm01/hf6101', 1, 2),
      description: 'Rides on 17" wheels.',
    },
    {
      ...TACOMA,
      transmission: '6-Speed Automatic',
      interior_color: 'Black',
      features: ['Tow Package', 'Bed Liner'],
      photos: photos('lpo03/00631', 1),
    },
  ],
  rejections: [
    [4, 'row_too_long'],
    [5, 'condition_unknown', 'Status', 'ZZ'],
  ],
});

describeFormat({
  sample: 'unityworks.txt',
  delimiter: '|',
  keys: ['1FMCU9GN8TUA61001', '5FNYG1H40PB061002', '3TMCZ5AN4KM063001'],
  vehicles: [
    {
      ...ESCAPE,
      stock: 'HF6101',
      features: ['17" Wheels', 'Heated Seats'],
      photos: photos('hpm01/hf6101', 1, 2),
      inventory_date: '2026-11-02',
    },
    {
      ...PILOT,
      ...HPM01,
      interior_color: 'Gray',
      features: ['Third Row', 'Remote Start'],
      photos: photos('hpm01/hf6102', 1, 2),
      inventory_date: '2026-10-02',
    },
    {
      ...TACOMA,
      stock: '00631',
      interior_color: 'Black',
      features: ['Tow Package'],
      photos: photos('lpo03/00631', 1),
      inventory_date: '2026-11-05',
    },
  ],
  rejections: [[4, 'condition_unknown', 'Used', '']],
});
