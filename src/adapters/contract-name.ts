import { registerHooks } from 'node:module';

const CONTRACT = 'dealer-bridge/adapter';
let isKnown = false;

/**
 * Lets adapters import the contract by its name wherever they lie: Node itself finds it only for those below the
 * program's own folder, and a vendor's adapter lies in the data folder.
 */
export function makeContractKnown(): void {
  if (isKnown) return;
  isKnown = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, specifier === CONTRACT ? { ...context, parentURL: import.meta.url } : context),
  });
}
