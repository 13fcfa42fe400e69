import { fileURLToPath } from 'node:url';
import type { CrmAdapter, Problem } from '../../src/adapters/index.ts';
import { loadCrmAdapter } from '../../src/adapters/loader.ts';

export const CRM_FOLDER = fileURLToPath(new URL('../../adapters/crm/', import.meta.url));

/** A shipped adapter with options as the config hands them over: checked, defaults filled in. */
export async function shippedAdapter(
  name: string,
  written: object,
): Promise<{ adapter: CrmAdapter; options: unknown; schemaFaults: string[]; problems: Problem[] }> {
  const loaded = await loadCrmAdapter(`${CRM_FOLDER}${name}`);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const { crm, checkOptions } = loaded.value;
  const options = structuredClone(written);
  const schemaFaults = checkOptions(options).map(
    ({ pointer, key, message }) => `${pointer} ${key ?? ''} ${message}`,
  );
  return {
    adapter: crm,
    options,
    schemaFaults,
    problems: schemaFaults.length === 0 ? crm.check(options) : [],
  };
}

/** The places that `check` complains about, as `to[0].address`. */
export function places(problems: readonly Problem[]): string[] {
  return problems.map(({ where }) => where?.path ?? '');
}
