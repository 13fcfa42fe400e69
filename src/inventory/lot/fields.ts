/** The columns that are filtered and counted by value, named as in the vehicle. */
export const TERM_FIELDS = [
  'make',
  'model',
  'trim',
  'year',
  'condition',
  'transmission',
  'fuel',
  'dc_fast_charge',
  'charge_port',
  'driveline',
  'body',
  'vehicle_type',
  'exterior_color',
  'interior_color',
  'rooftop',
  'status',
] as const;
export type TermField = (typeof TERM_FIELDS)[number];

/** The columns that are filtered by range. NaN = the vehicle has none, which no comparison matches. */
export const RANGE_FIELDS = ['price', 'mileage', 'year', 'displacement_cc', 'electric_range_mi'] as const;
export type RangeField = (typeof RANGE_FIELDS)[number];

/** The numbers with a presorted order: sort fields, and ranges, whose ends are the first rows of their order. */
export const NUMBER_FIELDS = [...RANGE_FIELDS, 'list_price', 'msrp', 'updated_at'] as const;
export type NumberField = (typeof NUMBER_FIELDS)[number];

/** Beside the numbers texts with a presorted order; inventory_date is that of a search that asks for none. */
export type OrderField = NumberField | 'make' | 'model' | 'stock' | 'inventory_date';
