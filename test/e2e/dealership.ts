import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small dealership of one rooftop, written as its operator would, with the destinations a test needs. */
export function writeDealership(destinations: string, feeds = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'dealership-'));
  const file = join(folder, 'bridge.yaml');
  writeFileSync(
    file,
    `dealer:
  id: one-store
  name: One Store Motors
  rooftops:
    - id: ONE
      name: One Store Motors
      timezone: America/New_York
      phones: [{ name: Sales, value: "+12075550100" }]
      emails: [{ name: Sales, value: sales@onestore.example }]
feeds:
  - id: stock
    profile: aap
    rooftop: ONE
    settle_ms: 200
${feeds}
leads:
  default_rooftop: ONE
  destinations:
${destinations}
`,
  );
  return file;
}

export function leadRequest(changes: object = {}): object {
  return {
    type: 'lead.submit.request',
    customer: { first_name: 'Anna', last_name: 'Lee', email: 'anna.lee@example.com', phone: '+14155550123' },
    consent: {
      granted_at: '2026-04-30T10:16:00Z',
      allowed_channels: ['email', 'phone'],
      consent_text: 'I agree that One Store Motors answers me about this.',
      scope: ['lead_submission'],
    },
    source_agent: { name: 'test-agent' },
    message: 'Do you have snow tires?',
    ...changes,
  };
}
