import { basename } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Config } from './config.ts';

/** Rooftops whose leads go out and that publish neither an e-mail address nor a phone: ADF asks for one of the vendor. */
export function rooftopContactWarnings({ dealer, leads, file }: Config): Problem[] {
  const served = new Set(leads.destinations.flatMap(({ rooftops }) => rooftops));
  return dealer.rooftops.flatMap(({ id, profile: { emails = [], phones = [] } }, index) => {
    const isTold = [...emails, ...phones].some(({ value }) => value.trim() !== '');
    if (isTold || !served.has(id)) return [];
    const message =
      'neither phones nor emails are listed, so that leads name a dealership without either, and buyers hear no number ' +
      'to call. Add one of them.';
    const where = { file: basename(file), path: `dealer.rooftops[${index}]` };
    return [{ code: 'CONFIG_ROOFTOP_NO_CONTACT', message, where }];
  });
}
