import { resolve } from 'node:path';
import type { Config, DestinationConfig } from '../config/config.ts';
import type { StrayVehicles } from './stray-vehicles.ts';
import type { InventoryStatus } from '../inventory/inventory.ts';

export interface BridgeFacts {
  config: Config;
  version: string;
  publicUrl: string;
  adminPort: number;
  status: InventoryStatus;
  strays: readonly StrayVehicles[];
  logFile: string;
}

/** What `start` prints: where the card, the inboxes and the leads are, in words for a dealer's IT person. */
export function describeBridge(facts: BridgeFacts): string {
  const { config, version, publicUrl, adminPort, status, strays, logFile } = facts;
  return [
    `dealer-bridge ${version} serves ${config.dealer.name}`,
    '',
    `  Agent card      ${publicUrl}/.well-known/agent-card.json`,
    `  Agent endpoint  ${publicUrl}/a2a`,
    ...(config.mcp.enabled ? [`  MCP tools       ${publicUrl}/mcp`] : []),
    `  Health          http://${config.server.admin_host}:${adminPort}/health`,
    `  On the lot      ${onTheLot(config, status)}`,
    ...strays.map(
      ({ kind, id, vehicles }) =>
        `  Not shown       ${vehicles} of the ${kind} ${id}, which the settings do not have (see Health)`,
    ),
    '',
    '  Drop inventory files into',
    ...table(config.feeds.map(({ id, folder, profile }) => [id, folder, `(${profile})`])),
    '',
    '  Leads go to',
    ...table(
      config.leads.destinations.map((destination) => [
        destination.id,
        ...whereTo(destination, config.data_folder),
      ]),
    ),
    '',
    `  Log             ${logFile}`,
    '  Stop with Ctrl+C.',
    '',
  ].join('\n');
}

function onTheLot(config: Config, status: InventoryStatus): string {
  const vehiclesAt = new Map(status.rooftops.map(({ rooftopId, vehicles }) => [rooftopId, vehicles]));
  const rooftops = config.dealer.rooftops.map(
    ({ id, profile }) => `${vehiclesAt.get(id) ?? 0} at ${profile.name}`,
  );
  return `${status.vehicles} vehicles: ${rooftops.join(', ')}`;
}

function whereTo({ adapter, crm, options }: DestinationConfig, dataFolder: string): string[] {
  const place = crm.place?.(options);
  if (place === undefined) return [`(${adapter})`];
  return ['folder' in place ? resolve(dataFolder, place.folder) : withoutPath(place.address), `(${adapter})`];
}

/** Paths and queries of a CRM's address are keys as often as not; the terminal may be read by others. */
function withoutPath(address: string): string {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  return `${pathname}${search}` === '/' ? origin : `${origin}/…`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}
