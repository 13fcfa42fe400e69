import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './npm.ts';
import type { InstalledPackage } from './production-packages.ts';
import { PROJECT } from './project.ts';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/** THIRD-PARTY-LICENCES.txt: the terms of everything that came along, word for word, Node's first. */
export async function writeLicences(
  folder: string,
  packages: readonly InstalledPackage[],
  nodeVersion: string,
): Promise<void> {
  const parts = [`Node.js ${nodeVersion}\n\n${await readFile(join(folder, 'node', 'LICENSE'), 'utf8')}`];
  for (const { name, version, licence, path } of packages) {
    const place = join(PROJECT, path);
    const names = (await readdir(place)).filter((file) => LICENCE_FILE.test(file)).sort();
    const texts = await Promise.all(names.map((file) => readFile(join(place, file), 'utf8')));
    parts.push([`${name} ${version} (${licence})`, ...texts.map((text) => text.trim())].join('\n\n'));
  }
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  const text = `dealer-bridge comes with the following software.${line}${parts.join(line)}\n`;
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES.txt'), text.replaceAll('\r\n', '\n'));
}

interface Component {
  name: string;
  version: string;
  group?: string;
  externalReferences?: { type: string }[];
  [key: string]: unknown;
}

interface BillOfMaterials {
  serialNumber?: string;
  metadata: { timestamp: string; component: Component; [key: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  [key: string]: unknown;
}

/**
 * sbom.cdx.json: CycloneDX, as npm writes it, with Node itself; without what would differ from one build of the same
 * commit to the next (a random number, the time of day, the registry that this machine happens to use).
 */
export async function billOfMaterials(
  packages: readonly InstalledPackage[],
  { nodeVersion, builtAt }: { nodeVersion: string; builtAt: string },
): Promise<string> {
  // Not --omit dev: npm then also leaves out what a tool of the developers happens to share with the program.
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const bill = JSON.parse(await npm(words)) as BillOfMaterials;
  delete bill.serialNumber;
  bill.metadata.timestamp = builtAt;
  // npm calls it after the folder that it lies in.
  bill.metadata.component = { ...bill.metadata.component, type: 'application', name: 'dealer-bridge' };
  const present = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = bill.components.filter((component) => present.has(nameOf(component)));
  const references = new Set(components.map((component) => component['bom-ref']));
  bill.components = [
    {
      'bom-ref': `node@${nodeVersion}`,
      type: 'platform',
      name: 'node',
      version: nodeVersion,
      purl: `pkg:generic/node@${nodeVersion}`,
    },
    ...components.map(({ externalReferences, ...component }) => ({
      ...component,
      externalReferences: (externalReferences ?? []).filter(({ type }) => type !== 'distribution'),
    })),
  ];
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => references.has(ref) || ref.startsWith('dealer-bridge@'))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) }));
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function nameOf({ group, name, version }: Component): string {
  return `${group === undefined ? '' : `${group}/`}${name}@${version}`;
}
