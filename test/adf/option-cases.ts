import type { AdfOptions } from '../../src/adf/options.ts';
import type { LeadDocument } from '../../src/model/lead.ts';
import { leadWith, sampleLead } from './documents.ts';

/** One option away from the defaults: the lines of the document that go, and those that come in their place. */
export interface OptionCase {
  /** Also the name of the golden file. */
  name: string;
  options: AdfOptions;
  lead: LeadDocument;
  goes: string[];
  comes: string[];
}

const testDrive = sampleLead('test-drive-with-trade-in');
const onlyFirstName = leadWith({
  customer: { first_name: 'Ann', last_name: ' ', phone: '+12075550142' },
});
const longMessage = leadWith({ message: 'Tell me more. '.repeat(60).trim() });

export const OPTION_CASES: readonly OptionCase[] = [
  {
    name: 'id-source',
    options: { id_source: 'Lakeview & Sons' },
    lead: leadWith(),
    goes: ['  <id sequence="1" source="dealer-bridge">lead_0001</id>'],
    comes: ['  <id sequence="1" source="Lakeview &amp; Sons">lead_0001</id>'],
  },
  {
    name: 'prolog-xml',
    options: { prolog: 'xml' },
    lead: testDrive,
    goes: ['<?xml version="1.0" encoding="UTF-8"?>'],
    comes: ['<?xml version="1.0"?>'],
  },
  {
    name: 'prolog-upper-case',
    options: { prolog: 'upper-case' },
    lead: testDrive,
    goes: ['<?xml version="1.0" encoding="UTF-8"?>', '<?adf version="1.0"?>'],
    comes: ['<?xml version="1.0"?>', '<?ADF VERSION="1.0"?>'],
  },
  {
    name: 'prolog-declaration',
    options: { prolog: 'declaration' },
    lead: testDrive,
    goes: ['<?adf version="1.0"?>'],
    comes: [],
  },
  {
    name: 'names-full',
    options: { names: 'full' },
    lead: testDrive,
    goes: [
      '    <name part="first" type="individual">Piotr</name>',
      '    <name part="last" type="individual">Nowak</name>',
    ],
    comes: ['    <name part="full" type="individual">Piotr Nowak</name>'],
  },
  {
    name: 'names-split-only',
    options: { names: 'split_only' },
    lead: onlyFirstName,
    goes: ['    <name part="full" type="individual">Ann</name>'],
    comes: ['    <name part="first" type="individual">Ann</name>'],
  },
  {
    name: 'requestdate-z',
    options: { requestdate: 'z' },
    lead: testDrive,
    goes: ['  <requestdate>2026-04-30T07:05:08-04:00</requestdate>'],
    comes: ['  <requestdate>2026-04-30T11:05:08Z</requestdate>'],
  },
  {
    name: 'test-drive-comment',
    options: { test_drive: 'comment' },
    lead: testDrive,
    goes: [
      '  <vehicle interest="test-drive" status="used">',
      '   <comments>certified pre-owned (CPO); engine: 2.0L I4; fuel: gas;',
      'driveline: fwd; https://lakeview.example.com/inventory/t12345</comments>',
    ],
    comes: [
      '  <vehicle interest="buy" status="used">',
      '   <comments>test drive requested; certified pre-owned (CPO);',
      'engine: 2.0L I4; fuel: gas; driveline: fwd;',
      'https://lakeview.example.com/inventory/t12345</comments>',
    ],
  },
  {
    name: 'trade-in-in-words',
    options: { trade_in: 'vehicle_and_comment' },
    lead: testDrive,
    goes: ['Please have someone look at my Passat in the same visit.</comments>'],
    comes: [
      'Trade-in: 2020 Volkswagen Passat SE sedan, 62000 mi, automatic, condition',
      'good',
      'Please have someone look at my Passat in the same visit.',
      'About the trade-in:',
      'Small dent in the rear door.</comments>',
    ],
  },
  {
    name: 'provider-direct',
    options: {
      provider: {
        service: 'AI agents',
        ids: [{ source: 'CRM', value: 'S-9' }],
        email: 'crm-help@lakeview.example',
      },
    },
    lead: testDrive,
    goes: [],
    comes: [
      '   <id source="CRM">S-9</id>',
      '   <service>AI agents</service>',
      '   <email>crm-help@lakeview.example</email>',
    ],
  },
  {
    name: 'provider-network',
    options: { provider: { form: 'network', name: 'Agent Network', url: 'https://network.example' } },
    lead: testDrive,
    goes: ['   <name part="full">shopping-assistant</name>', '   <url>https://assistant.example.com</url>'],
    comes: [
      'Agent: https://assistant.example.com',
      '   <name part="full">Agent Network</name>',
      '   <service>shopping-assistant</service>',
      '   <url>https://network.example</url>',
    ],
  },
  {
    name: 'vendor-ids',
    options: {
      vendor_ids: [
        { source: 'CRM', value: '00417', rooftop: 'LPO03' },
        { source: 'CRM', value: '00999', rooftop: 'HPM01' },
      ],
    },
    lead: testDrive,
    goes: [],
    comes: ['   <id source="CRM">00417</id>'],
  },
  {
    name: 'placeholder',
    options: { placeholder: { year: '0000', make: 'Unknown', model: 'General inquiry' } },
    lead: leadWith(),
    goes: ['   <year></year>', '   <make></make>', '   <model></model>'],
    comes: ['   <year>0000</year>', '   <make>Unknown</make>', '   <model>General inquiry</model>'],
  },
  {
    name: 'phone-type',
    options: { phone_type: 'cellphone' },
    lead: leadWith(),
    goes: ['    <phone type="voice">+12075550142</phone>'],
    comes: ['    <phone type="cellphone">+12075550142</phone>'],
  },
  {
    name: 'phone-ten-digits',
    options: { phone_form: 'ten_digits' },
    lead: leadWith(),
    goes: ['    <phone type="voice">+12075550142</phone>', '    <phone type="voice">+12075550130</phone>'],
    comes: ['    <phone type="voice">2075550142</phone>', '    <phone type="voice">2075550130</phone>'],
  },
  {
    name: 'phone-dashed',
    options: { phone_form: 'dashed' },
    lead: leadWith(),
    goes: ['    <phone type="voice">+12075550142</phone>', '    <phone type="voice">+12075550130</phone>'],
    comes: ['    <phone type="voice">207-555-0142</phone>', '    <phone type="voice">207-555-0130</phone>'],
  },
  {
    name: 'street-empty',
    options: { street_missing: 'empty_street' },
    lead: sampleLead('trade-in-only'),
    goes: ['Address without street: 04102'],
    comes: [
      '     <street line="1"></street>',
      '     <postalcode>04102</postalcode>',
      '    <address>',
      '     <country>US</country>',
      '    </address>',
    ],
  },
  {
    name: 'comments-limit',
    options: { comments_limit: 500 },
    lead: longMessage,
    goes: [],
    comes: [],
  },
];
