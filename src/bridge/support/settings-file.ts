import { basename, dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import { expandSecrets } from '../../config/secrets.ts';
import { readSettingsFile } from '../../documents/settings-file.ts';
import { parseYaml } from '../../documents/yaml-document.ts';
import { blankSettings } from './blank-settings.ts';

export interface SupportSettings {
  /** For the archive. */
  text: string;
  /** Every secret that is written in the settings, or that they refer to. */
  secrets: string[];
}

/**
 * bridge.yaml without secrets and without comments, in which old passwords like to stay. It may be the very file that
 * does not load: one that is no YAML is left out, since nobody can tell what is a secret in it.
 */
export async function supportSettings(
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<SupportSettings> {
  const path = resolve(file);
  const text = await readSettingsFile(path);
  const { document } = text.ok ? parseYaml(text.value, basename(path)) : { document: undefined };
  if (document === undefined) {
    return { text: '# Left out: it cannot be read as YAML, see check.txt.\n', secrets: [] };
  }
  const { value, secrets } = blankSettings(document.value);
  const expanded = await expandSecrets(
    document.value,
    { environment, folder: dirname(path) },
    document.place,
  );
  // What stands beside a reference, as in 'Bearer ${env:TOKEN}', is blanked with it, and so is what it stands for.
  return { text: stringify(value), secrets: [...secrets, ...expanded.secrets.keys()] };
}
