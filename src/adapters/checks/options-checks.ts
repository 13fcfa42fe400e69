import type { LoadedCrmAdapter, LoadedFeedReader } from '../loader.ts';
import { optionsSchemaFaults } from './options-schema-faults.ts';
import type { Trial } from './trial.ts';

type Loaded = Pick<LoadedCrmAdapter | LoadedFeedReader, 'optionsSchema' | 'checkOptions'>;

export function checkOptionsSchema({ optionsSchema }: Loaded, { findings }: Trial): void {
  for (const fault of optionsSchemaFaults(optionsSchema))
    findings.add('options', 'options.schema.json', fault);
}

/** Checks a fixture's options and fills the defaults into them, as the settings' are. */
export function soundOptions(
  { checkOptions }: Loaded,
  fixture: string,
  options: Record<string, unknown>,
  { findings }: Trial,
): boolean {
  const faults = checkOptions(options);
  for (const { pointer, message } of faults) {
    const place = pointer === '' ? 'its options' : pointer.slice(1);
    findings.add('fixtures', `fixture ${fixture}`, `${place}: ${message}`);
  }
  return faults.length === 0;
}
