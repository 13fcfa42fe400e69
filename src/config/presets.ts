import { basename, join } from 'node:path';
import { compileWhenUsed, joinPointer, readShippedSchema } from '../documents/json-schema.ts';
import { failure, success, type Problem, type Result } from '../model/problem.ts';
import { configProblem } from './problems.ts';
import { isFile, yamlNames } from './profiles.ts';
import { adapterRoots, type Folders } from './review.ts';
import { expandSecrets, type ExpandedSettings, type SecretSource } from './secrets.ts';
import { readSettingsFile } from '../documents/settings-file.ts';
import { parseYaml } from '../documents/yaml-document.ts';

/** One CRM's way of taking leads: an adapter with its options (schemas/crm-preset.schema.json). */
export interface Preset {
  name: string;
  description: string;
  adapter: string;
  options: Record<string, unknown>;
}

const checkPreset = compileWhenUsed(() => readShippedSchema('crm-preset.schema.json'));

export async function presetNames(folders: Folders): Promise<string[]> {
  return yamlNames(presetFolders(folders));
}

/** Reads the preset; one in the data folder takes the place of a shipped one of the same name. */
export async function readPreset(
  name: string,
  folders: Folders,
  source: SecretSource,
): Promise<Result<Preset & { secrets: ExpandedSettings['secrets'] }>> {
  const file = await locate(name, folders);
  const text = await readSettingsFile(file);
  if (!text.ok) return text;
  const { document, problems } = parseYaml(text.value, basename(file));
  if (document === undefined) return failure(...problems);
  const expanded = await expandSecrets(document.value, source, document.place);
  const faults: Problem[] = checkPreset(expanded.value)
    .filter(({ pointer }) => !expanded.unresolved.has(pointer))
    .map(({ pointer, key, message }) =>
      configProblem(
        'CONFIG_SCHEMA',
        document.place(key === undefined ? pointer : joinPointer(pointer, key)),
        {
          reason: message,
        },
      ),
    );
  const all = [...problems, ...expanded.problems, ...faults];
  if (all.length > 0) return failure(...all);
  const preset = expanded.value as Preset;
  if (preset.name === name) return success({ ...preset, secrets: expanded.secrets });
  const reason = `its name must be "${name}", as its file is called`;
  return failure(configProblem('CONFIG_SCHEMA', document.place('/name'), { reason }));
}

/** The destination's own options win, key by key at every level; a list is taken whole. */
export function mergeOptions(
  preset: Readonly<Record<string, unknown>>,
  own: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = structuredClone({ ...preset });
  for (const [key, value] of Object.entries(own)) {
    const base = merged[key];
    merged[key] = isGroup(base) && isGroup(value) ? mergeOptions(base, value) : structuredClone(value);
  }
  return merged;
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function presetFolders(folders: Folders): string[] {
  return adapterRoots(folders).map((root) => join(root, 'crm', 'presets'));
}

async function locate(name: string, folders: Folders): Promise<string> {
  const [shipped = '', own = ''] = presetFolders(folders).map((folder) => join(folder, `${name}.yaml`));
  return (await isFile(own)) ? own : shipped;
}
