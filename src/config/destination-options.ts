import { joinPointer } from '../documents/json-schema.ts';
import type { LoadedCrmAdapter } from '../adapters/loader.ts';
import type { Problem } from '../model/problem.ts';
import type { Review } from './review.ts';
import { withoutSecrets } from './secrets.ts';

/**
 * The faults of a destination's options: against the adapter's schema, whose defaults are filled into `options`,
 * and, when that is satisfied, against the adapter's own `check`.
 */
export function checkDestinationOptions(
  review: Review,
  adapter: LoadedCrmAdapter,
  options: Record<string, unknown>,
  pointer: string,
): Problem[] {
  const faults = adapter.checkOptions(options).filter(({ pointer: inner, missingKey }) => {
    // An option whose secret is not there is written all the same, and the secret is told.
    const judged = missingKey === undefined ? inner : joinPointer(inner, missingKey);
    return !review.unresolved.has(`${pointer}${judged}`);
  });
  if (faults.length > 0) {
    return faults.map(({ pointer: inner, key, message }) => {
      const at = `${pointer}${key === undefined ? inner : joinPointer(inner, key)}`;
      return withoutSecrets(review.tell('CONFIG_OPTIONS', at, { reason: message }), review.secrets);
    });
  }
  const isIncomplete = [...review.unresolved].some((unresolved) => unresolved.startsWith(`${pointer}/`));
  return isIncomplete ? [] : askAdapter(review, adapter, options, pointer);
}

/** The adapter is a vendor's code: it may throw, and its words may quote a password. */
function askAdapter(
  review: Review,
  adapter: LoadedCrmAdapter,
  options: Record<string, unknown>,
  pointer: string,
): Problem[] {
  try {
    return adapter.crm.check(options).map((problem) => {
      const at = `${pointer}${pointerOf(problem.where?.path ?? '')}`;
      return withoutSecrets({ ...problem, where: review.place(at) }, review.secrets);
    });
  } catch (error) {
    const reason = `its check fails: ${error instanceof Error ? error.message : String(error)}`;
    const problem = review.tell('CONFIG_ADAPTER_BROKEN', pointer, { name: `"${adapter.name}"`, reason });
    return [withoutSecrets(problem, review.secrets)];
  }
}

/** Adapters name a place in their options like `server.host` or `to[0].address`. */
function pointerOf(path: string): string {
  return joinPointer('', ...path.split(/[.[\]]+/).filter((segment) => segment !== ''));
}
