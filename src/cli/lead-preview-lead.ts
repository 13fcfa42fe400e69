import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { LotInventory } from '../inventory/lot-inventory.ts';
import { openInventoryStore } from '../inventory/store.ts';
import { routeLead } from '../leads/routing.ts';
import { planSettlement } from '../leads/settle-visit.ts';
import { findVehicle, type FoundVehicle } from '../leads/vehicle.ts';
import type { LeadDocument, LeadSubmitRequest } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';

interface PreviewedLead {
  lead: LeadDocument;
  /** Ids of those that the lead would go to. */
  destinations: string[];
  /** What the person should know: why no listing could be looked up. */
  notes: string[];
}

/** The document that the lead would become if it came in now: listing, rooftop and destinations as in real life. */
export async function previewLead(
  request: LeadSubmitRequest,
  config: Config,
  { leadId, receivedAt }: { leadId: string; receivedAt: string },
): Promise<PreviewedLead> {
  const { found, notes } = await lookUp(request, config);
  const { rooftop, destinations } = routeLead(request, found, config.dealer, config.leads);
  const visit = visitOf(request, rooftop, config, { leadId, receivedAt });
  const lead: LeadDocument = {
    lead_id: leadId,
    received_at: receivedAt,
    resend: false,
    request,
    ...(found.kind === 'listed' ? { listing: found.listing } : {}),
    ...visit.answer,
    rooftop,
  };
  return { lead, destinations, notes: [...notes, ...visit.notes] };
}

/** How a visit would be answered if nothing else were booked. */
function visitOf(
  { appointment: asked }: LeadSubmitRequest,
  rooftop: Rooftop,
  { leads }: Config,
  { leadId, receivedAt }: { leadId: string; receivedAt: string },
): { answer: Pick<LeadDocument, 'appointment' | 'visit_minutes'>; notes: string[] } {
  if (asked === undefined) return { answer: {}, notes: [] };
  const lead = { leadId, rooftop, channels: [], asked };
  const { calendar, settle } = planSettlement(lead, leads.appointments, Date.parse(receivedAt));
  const settlement = settle([]);
  if (settlement.kind === 'unavailable') return { answer: {}, notes: [settlement.message] };
  const { appointment, booking } = settlement;
  return {
    answer: {
      ...(appointment === undefined ? {} : { appointment }),
      ...(booking === undefined ? {} : { visit_minutes: booking.visit_minutes }),
    },
    notes: calendar === undefined ? [] : ['The visit is answered as if no other were booked.'],
  };
}

/** Without an inventory, or with one that cannot be read, the vehicle is one that we do not know. */
async function lookUp(
  request: LeadSubmitRequest,
  config: Config,
): Promise<{ found: FoundVehicle; notes: string[] }> {
  const file = join(config.data_folder, 'inventory.db');
  if (!existsSync(file)) return { found: { kind: 'unknown' }, notes: [] };
  try {
    return { found: await withUntouched(file, (copy) => findIn(copy, request, config)), notes: [] };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { found: { kind: 'unknown' }, notes: [`The vehicle was not looked up: ${reason}`] };
  }
}

function findIn(file: string, request: LeadSubmitRequest, config: Config): FoundVehicle {
  const store = openInventoryStore(file, { readonly: true });
  try {
    return findVehicle(request, new LotInventory(store, config.search), config.dealer);
  } finally {
    store.close();
  }
}

/**
 * A running bridge has its -wal file open, and one more reader changes nothing. Beside a database at rest a reader
 * would leave such files behind, so that one is read as a copy.
 */
async function withUntouched<T>(file: string, read: (file: string) => T): Promise<T> {
  if (existsSync(`${file}-wal`)) return read(file);
  const folder = await mkdtemp(join(tmpdir(), 'dealer-bridge-preview-'));
  try {
    const copy = join(folder, 'inventory.db');
    await copyFile(file, copy);
    return read(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
