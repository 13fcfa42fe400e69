import type { LeadDocument } from '../model/lead.ts';
import { WEAR_CONDITIONS } from '../model/vehicle.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { cutText } from './comments.ts';
import { leaf, optionalLeaf, parent } from './element.ts';
import type { AdfElement } from './element.ts';
import { fillFromListing, listingOf, saysNothing } from './listing.ts';
import type { AdfSettings } from './options.ts';
import { listingRemark } from './our-listing.ts';
import { saleAmounts, tradeInAmounts } from './price.ts';
import type { PriceElements } from './price.ts';
import { lineOf, singleLine } from './text.ts';
import { transmissionLetter } from './transmission.ts';
import { vehicleComments } from './vehicle-comments.ts';

/** What the lead's vehicles share: the settings, and the name under which cut text can be found. */
interface VehicleContext {
  settings: AdfSettings;
  leadId: string;
}

/**
 * The vehicle of interest first, because some receivers read only the first one, then the trade-in; one without
 * data when the lead names none, since ADF demands one. `interest` and `status` are always written: left out, they
 * mean "buy" and "new" (adf-1.0 section 1.2).
 */
export function vehicleElements(lead: LeadDocument, settings: AdfSettings): AdfElement<'vehicle'>[] {
  const context = { settings, leadId: lead.lead_id };
  const { vehicle_of_interest: wanted, trade_in: tradeIn } = lead.request;
  const vehicles: AdfElement<'vehicle'>[] = [];
  if (wanted !== undefined && !saysNothing(wanted)) {
    const testDrive = lead.request.appointment?.appointment_type === 'test_drive';
    const remark = listingRemark(wanted, listingOf(wanted, lead.listing));
    vehicles.push(wantedVehicle(fillFromListing(wanted, lead.listing), { testDrive, remark }, context));
  }
  if (tradeIn !== undefined && !saysNothing(tradeIn)) vehicles.push(tradeInVehicle(tradeIn, context));
  if (vehicles.length === 0) vehicles.push(noVehicle(context));
  return vehicles;
}

export function namesNoVehicle({ request }: LeadDocument): boolean {
  return saysNothing(request.vehicle_of_interest) && saysNothing(request.trade_in);
}

function wantedVehicle(
  vehicle: Vehicle,
  { testDrive, remark }: { testDrive: boolean; remark: string | undefined },
  context: VehicleContext,
): AdfElement<'vehicle'> {
  const asInterest = testDrive && context.settings.test_drive === 'interest';
  const stated = ['new', 'used', 'cpo'].includes(vehicle.condition ?? '');
  const remarks = [
    ...(testDrive && !asInterest ? ['test drive requested'] : []),
    ...(vehicle.condition === 'cpo' ? ['certified pre-owned (CPO)'] : []),
    ...(stated ? [] : ['condition not stated']),
    ...(remark === undefined ? [] : [remark]),
  ];
  return vehicleElement(vehicle, context, {
    attributes: {
      interest: asInterest ? 'test-drive' : 'buy',
      status: vehicle.condition === 'new' ? 'new' : 'used',
    },
    amounts: saleAmounts(vehicle),
    remarks,
    // The others are our own: an agent hands back what our listing told it.
    furtherPhotos: [],
  });
}

function tradeInVehicle(vehicle: Vehicle, context: VehicleContext): AdfElement<'vehicle'> {
  return vehicleElement(vehicle, context, {
    attributes: { interest: 'trade-in', status: 'used' },
    wear: WEAR_CONDITIONS.find((word) => word === vehicle.condition),
    amounts: tradeInAmounts(vehicle),
    remarks: [],
    furtherPhotos: vehicle.photos?.slice(1) ?? [],
  });
}

function noVehicle(context: VehicleContext): AdfElement<'vehicle'> {
  return vehicleElement({}, context, {
    attributes: { interest: 'buy', status: 'used' },
    amounts: { pricecomments: '' },
    remarks: ['general inquiry, no vehicle named'],
    furtherPhotos: [],
  });
}

interface Role {
  attributes: { interest: 'buy' | 'test-drive' | 'trade-in'; status: 'new' | 'used' };
  wear?: string | undefined;
  amounts: PriceElements;
  remarks: readonly string[];
  /** Those for which there is no second imagetag. */
  furtherPhotos: readonly string[];
}

function vehicleElement(vehicle: Vehicle, context: VehicleContext, role: Role): AdfElement<'vehicle'> {
  const { settings, leadId } = context;
  const transmission = lineOf(vehicle.transmission);
  const comments = vehicleComments(vehicle, role.remarks, role.furtherPhotos);
  const { price, pricecomments } = role.amounts;
  const shortened = (text: string): string => cutText(text, settings.comments_limit, leadId);
  return parent('vehicle', role.attributes, {
    year: leaf('year', lineOf(vehicle.year) ?? singleLine(settings.placeholder.year)),
    make: leaf('make', lineOf(vehicle.make) ?? singleLine(settings.placeholder.make)),
    model: leaf('model', lineOf(vehicle.model) ?? singleLine(settings.placeholder.model)),
    vin: optionalLeaf('vin', lineOf(vehicle.vin)),
    stock: optionalLeaf('stock', lineOf(vehicle.stock)),
    trim: optionalLeaf('trim', lineOf(vehicle.trim)),
    bodystyle: optionalLeaf('bodystyle', lineOf(vehicle.body)),
    transmission: optionalLeaf(
      'transmission',
      transmission && (transmissionLetter(transmission) ?? transmission),
    ),
    odometer: optionalLeaf('odometer', lineOf(vehicle.mileage), { status: 'unknown', units: 'mi' }),
    condition: optionalLeaf('condition', role.wear),
    colorcombination: colorCombination(vehicle),
    imagetag: optionalLeaf('imagetag', lineOf(vehicle.photos?.[0])),
    price,
    pricecomments: optionalLeaf('pricecomments', shortened(pricecomments)),
    comments: optionalLeaf('comments', shortened(comments)),
  });
}

function colorCombination(vehicle: Vehicle): AdfElement<'colorcombination'> | undefined {
  const interior = optionalLeaf('interiorcolor', lineOf(vehicle.interior_color));
  const exterior = optionalLeaf('exteriorcolor', lineOf(vehicle.exterior_color));
  if (interior === undefined && exterior === undefined) return undefined;
  return parent(
    'colorcombination',
    {},
    { interiorcolor: interior, exteriorcolor: exterior, preference: leaf('preference', '1') },
  );
}
