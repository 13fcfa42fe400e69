import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadConfig, type LoadOptions } from '../../src/config/load.ts';
import { describeProblem, type Result } from '../../src/model/problem.ts';
import type { Config } from '../../src/config/config.ts';

/** A folder with settings, and a data folder with one adapter, one preset and one profile of the dealer's own. */
export interface Dealership {
  folder: string;
  file: string;
  data: string;
  write(name: string, text: string): Promise<string>;
  load(yaml: string, options?: Partial<LoadOptions>): Promise<Result<Config>>;
  /** The problems as a person reads them; empty when there are none. */
  problems(yaml: string, options?: Partial<LoadOptions>): Promise<string[]>;
  remove(): Promise<void>;
}

/** Delivers into a folder; its check refuses the folder "forbidden" and quotes the key it was given. */
const PICKUP_ADAPTER = `
export default {
  check(options) {
    if (options.folder !== 'forbidden') return [];
    return [{ code: 'PICKUP_FOLDER', message: 'folder ' + options.folder + ' with key ' + options.key + ' is taken', where: { path: 'folder' } }];
  },
  build: (lead, options) => ({ kind: 'file', folder: options.folder, name: lead.lead_id + '.xml', content: lead.received_at }),
  classify: (outcome) => ({ state: outcome.sent === 'yes' ? 'delivered' : 'retry', reason: 'as it is' }),
};
`;

const PICKUP_OPTIONS = {
  type: 'object',
  additionalProperties: false,
  required: ['folder'],
  properties: {
    folder: { type: 'string', minLength: 1 },
    key: { type: 'string' },
    pace: {
      type: 'object',
      additionalProperties: false,
      default: {},
      properties: {
        a_minute: { type: 'integer', minimum: 1, default: 10 },
        burst: { type: 'integer', minimum: 1, default: 3 },
      },
    },
  },
};

const PICKUP_PRESET = `name: acme-crm
description: ACME CRM picks files up.
adapter: pickup
options:
  folder: acme
  pace: { a_minute: 5, burst: 2 }
`;

export async function openDealership(): Promise<Dealership> {
  const folder = await mkdtemp(join(tmpdir(), 'dealership-'));
  const file = join(folder, 'bridge.yaml');
  const data = join(folder, 'data');
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  };
  const manifest = { name: 'pickup', kind: 'crm', version: '1.0.0', contract: 1 };
  await write('data/adapters/crm/pickup/adapter.json', JSON.stringify(manifest));
  await write('data/adapters/crm/pickup/options.schema.json', JSON.stringify(PICKUP_OPTIONS));
  await write('data/adapters/crm/pickup/adapter.js', PICKUP_ADAPTER);
  await write('data/adapters/crm/pickup/package.json', '{"type":"module"}');
  await write('data/adapters/crm/presets/acme-crm.yaml', PICKUP_PRESET);
  await write('data/adapters/feeds/profiles/plainlist.yaml', 'name: plainlist\n');

  const load: Dealership['load'] = async (yaml, options = {}) => {
    await writeFile(file, yaml);
    return loadConfig({ file, environment: {}, dataFolder: data, ...options });
  };
  return {
    folder,
    file,
    data,
    write,
    load,
    problems: async (yaml, options) => {
      const loaded = await load(yaml, options);
      return loaded.ok ? [] : loaded.problems.map(describeProblem);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The shortest complete settings: one rooftop, no feed, one destination. */
export const SMALL = `dealer:
  id: small-dealer
  name: Small Dealer
  rooftops:
    - id: ONE
      name: Small Dealer Main Street
leads:
  destinations:
    - id: crm
      adapter: pickup
      options: { folder: leads }
`;
