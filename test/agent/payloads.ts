/** Payloads that are right, one for each AAP schema, as fresh copies. Values follow aap-v1.3 sections 3 to 5. */

export const VIN = '1HGCY2F57RA000001';

function vehicle() {
  return {
    vehicle_type: 'car',
    vin: VIN,
    stock: 'T12345',
    vehicle_id: 'veh_1',
    dealer_id: 'HPM01',
    year: 2022,
    make: 'Honda',
    model: 'Civic',
    trim: 'EX',
    body: 'sedan',
    condition: 'cpo',
    status: 'available',
    rooftop: 'Harbor Point Motors',
    msrp: 26500,
    list_price: 24990,
    price: 26780,
    fees: [
      { name: 'Documentation fee', amount: 500 },
      { name: 'Theft protection', amount: 1290 },
    ],
    mileage: 22150,
    transmission: 'automatic',
    driveline: 'fwd',
    engine: '2.0L I4',
    displacement_cc: 1996,
    fuel: 'gas',
    city_mpg: 31,
    highway_mpg: 40,
    electric_range_mi: 0,
    battery_kwh: 1.5,
    motor_power_hp: 0,
    dc_fast_charge: false,
    charge_port: null,
    exterior_color: 'Crystal Black Pearl',
    interior_color: 'Black',
    features: ['Apple CarPlay', 'Heated seats'],
    photos: ['https://cars.example.com/T12345-1.jpg'],
    vdp_url: 'https://cars.example.com/T12345',
    description: 'One owner.',
    notes: 'Just arrived',
    other_attributes: { abs: true, wheel_count: 4, belts: ['front', 'back'], gears: [1, 2], drive: 'belt' },
    inventory_date: '2026-04-12',
    updated_at: '2026-04-30T10:15:00Z',
  };
}

export function leadRequest() {
  return {
    type: 'lead.submit.request',
    customer: {
      first_name: 'Anna',
      last_name: 'Lee',
      email: 'anna@example.com',
      phone: '+14155550123',
      preferred_contact: 'phone',
      address: { address_line_1: '200 Folsom St', city: 'San Francisco', state: 'CA', zip: '94105' },
    },
    consent: {
      granted_at: '2026-04-30T10:16:00Z',
      allowed_channels: ['email', 'phone'],
      consent_text: 'You may call me.',
      scope: ['lead_submission'],
      expires_at: '2027-04-30T10:16:00+02:00',
    },
    vehicle_of_interest: { vin: VIN, condition: 'cpo' },
    trade_in: { year: 2014, make: 'Toyota', model: 'Corolla', condition: 'good', mileage: 96000 },
    appointment: {
      appointment_type: 'test_drive',
      appointment_at: '2026-05-02T17:00:00Z',
      duration_minutes: 60,
      notes: 'In the morning.',
    },
    message: 'Is it still there?',
    source_agent: {
      name: 'shopper',
      url: 'https://shopper.example.com',
      agent_card_url: 'https://shopper.example.com/.well-known/agent-card.json',
    },
    submitted_at: '2026-04-30T10:16:05Z',
    idempotency_key: 'key-1',
  };
}

export function searchRequest() {
  return {
    type: 'inventory.search.request',
    filters: {
      make: ['Honda'],
      model: ['Civic'],
      trim: ['EX'],
      condition: ['used', 'cpo'],
      vehicle_type: ['car'],
      transmission: ['automatic'],
      fuel: ['gas'],
      charge_port: ['nacs'],
      driveline: ['fwd'],
      body: ['sedan'],
      exterior_color: ['black'],
      interior_color: [],
      rooftops: ['Harbor Point Motors'],
      electric_range_mi_min: 0,
      electric_range_mi_max: 300,
      displacement_cc_min: 600,
      displacement_cc_max: 3000,
      year_min: 2020,
      year_max: 2024,
      price_min: 0,
      price_max: 30000,
      mileage_max: 60000,
      dc_fast_charge: false,
      vin: VIN,
      stock: 'T12345',
      query: 'civic',
    },
    pagination: { skip: 0, limit: 20 },
    sort: { field: 'price', order: 'asc' },
    privacy: { anonymous: true },
  };
}

const terms = (value: string | number) => [{ value, count: 2 }];
const range = { min: 1, max: 2.5 };

export function facets() {
  return {
    makes: terms('Honda'),
    models: terms('Civic'),
    trims: terms('EX'),
    years: terms(2022),
    conditions: terms('cpo'),
    transmissions: terms('automatic'),
    fuels: terms('gas'),
    dc_fast_charge: terms('true'),
    charge_ports: terms('nacs'),
    drivelines: terms('fwd'),
    bodies: terms('sedan'),
    vehicle_types: terms('car'),
    exterior_colors: terms('black'),
    interior_colors: terms('black'),
    rooftops: terms('Harbor Point Motors'),
    statuses: terms('available'),
    price_range: range,
    mileage_range: range,
    year_range: range,
    displacement_cc_range: range,
    electric_range_mi_range: range,
  };
}

function dealerInformation() {
  return {
    name: 'Harbor Group',
    welcome_message: 'Hello.',
    rooftops: [
      {
        name: 'Harbor Point Motors',
        legal_name: 'Harbor Point Motors, LLC',
        website: 'https://harbor.example.com',
        geo: { latitude: 37.77, longitude: -122.41 },
        emails: [{ name: 'Sales', value: 'sales@harbor.example.com' }],
        phones: [{ value: '+14155550100' }],
        address: {
          country: 'US',
          state: 'CA',
          city: 'San Francisco',
          address_line_1: '100 Market St',
          address_line_2: 'Suite 2',
          zip: '94105',
        },
        schedules: [{ name: 'sales', value: { monday: { open: '09:00', close: '20:00' }, sunday: null } }],
        timezone: 'America/Los_Angeles',
        notes: 'Ring twice.',
        fees: [{ name: 'Documentation fee', amount: 500 }],
        capabilities: ['sales'],
      },
    ],
  };
}

function agentCard() {
  return {
    name: 'Harbor Group',
    description: 'Cars.',
    version: '1.0.0',
    provider: { organization: 'Harbor Group', url: 'https://harbor.example.com' },
    documentationUrl: 'https://harbor.example.com/docs',
    iconUrl: 'https://harbor.example.com/icon.png',
    supportedInterfaces: [
      { url: 'https://harbor.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
    capabilities: {
      streaming: false,
      pushNotifications: false,
      extensions: [
        {
          uri: 'https://autoagentprotocol.org/extensions/aap/v1.3',
          description: 'AAP',
          required: false,
          params: { version: '1.3.0' },
        },
      ],
    },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: [
      {
        id: 'inventory.search',
        name: 'Search',
        description: 'Search',
        tags: ['cars'],
        inputModes: ['application/json'],
        outputModes: ['application/json'],
      },
    ],
    securitySchemes: {},
    securityRequirements: [{}],
    security: [{}],
  };
}

/** Schema file (without its ending) → payload that fits it. */
export function validPayloads(): Record<string, unknown> {
  const lead = leadRequest();
  return {
    address: dealerInformation().rooftops[0]?.address,
    'agent-card': agentCard(),
    appointment: lead.appointment,
    'consent-grant': lead.consent,
    customer: lead.customer,
    'dealer-fee': { name: 'Documentation fee', amount: 500 },
    'dealer-information': dealerInformation(),
    'dealer-information-request': { type: 'dealer.information.request' },
    'dealer-information-response': {
      type: 'dealer.information.response',
      data: dealerInformation(),
      message: 'Hello.',
    },
    error: {
      type: 'aap.error',
      error_id: 'err_1',
      code: 'VEHICLE_NOT_FOUND',
      message: 'Not here.',
      retryable: false,
      details: { vin: VIN },
      created_at: '2026-04-30T10:15:30Z',
    },
    event: {
      type: 'aap.event',
      event_kind: 'lead.status_changed',
      entity_id: 'lead_1',
      status: 'working',
      occurred_at: '2026-04-30T10:15:30Z',
      payload: { by: 'staff' },
    },
    facets: facets(),
    'inventory-facets-request': { type: 'inventory.facets.request', filters: searchRequest().filters },
    'inventory-facets-response': { type: 'inventory.facets.response', data: facets(), message: 'x' },
    'inventory-search-request': searchRequest(),
    'inventory-search-response': {
      type: 'inventory.search.response',
      data: { total: 1, skip: 0, limit: 20, vehicles: [vehicle()], facets: facets() },
      message: 'One.',
    },
    'lead-submit-request': lead,
    'lead-submit-response': {
      type: 'lead.submit.response',
      data: {
        lead_id: 'lead_1',
        status: 'received',
        appointment: {
          appointment_id: 'appt_1',
          status: 'proposed',
          confirmed_at: '2026-05-02T17:00:00Z',
          proposed_times: ['2026-05-02T17:00:00-07:00'],
        },
        dealer: { name: 'Harbor Point Motors', phone: '+14155550100' },
      },
      message: 'We will call.',
    },
    vehicle: vehicle(),
    'vehicle-detail-request': { type: 'inventory.vehicle.request', vin: VIN, stock: 'T1', vehicle_id: 'v' },
    'vehicle-detail-response': { type: 'inventory.vehicle.response', data: vehicle(), message: 'Here.' },
  };
}

/** As a value in `changed`: takes the member away. */
export const REMOVED = Symbol('removed');

/** A copy with other values at some places: `{'consent.scope': ['marketing'], 'fees.0.name': ' '}`. */
export function changed(payload: unknown, changes: Record<string, unknown>): unknown {
  const copy = structuredClone(payload);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<unknown>(
      (place, key) => (place as Record<string, unknown>)[key],
      copy,
    ) as object;
    if (value === REMOVED) Reflect.deleteProperty(parent, last);
    else Reflect.set(parent, last, value);
  }
  return copy;
}
