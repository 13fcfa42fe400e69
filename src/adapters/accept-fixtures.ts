import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdapterManifest } from './adapter-folder.ts';
import { runTrial } from './checks/trial-process.ts';
import type { CheckLimits } from './contract-checks.ts';

/**
 * Writes what the adapter gives now as what its fixtures expect: deliveries and verdicts, or rows. Answers the files
 * that it wrote. What cannot be sent, or throws, is left as it is; the checks tell why.
 */
export async function acceptFixtures(
  folder: string,
  kind: AdapterManifest['kind'],
  { callMs, totalMs }: CheckLimits,
): Promise<string[]> {
  const fixtures = join(folder, 'fixtures');
  const ending = kind === 'crm' ? 'delivery' : 'rows';
  await writeMissing(fixtures, kind === 'crm' ? '.lead.json' : '.txt', ending);
  const { results } = await runTrial({ folder, kind, onOtherDay: false, callMs }, totalMs);
  const written: string[] = [];
  for (const file of await readdir(fixtures)) {
    const [, name = '', part = ''] = /^(.*)\.(delivery|rows|answers)\.json$/.exec(file) ?? [];
    const path = join(fixtures, file);
    const text = part === 'answers' ? await answersText(path, name, results) : results.get(`fixture ${name}`);
    if (text === undefined || (part !== 'answers' && part !== ending)) continue;
    const content = `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`;
    if (sameJson(await readFile(path, 'utf8'), text)) continue;
    await writeFile(path, content);
    written.push(file);
  }
  return written.sort();
}

/** A case without its expected output is one that waits for it. */
async function writeMissing(fixtures: string, input: string, ending: string): Promise<void> {
  const files = await readdir(fixtures);
  for (const file of files) {
    if (!file.endsWith(input)) continue;
    const expected = `${file.slice(0, -input.length)}.${ending}.json`;
    if (!files.includes(expected)) await writeFile(join(fixtures, expected), 'null\n');
  }
}

async function answersText(
  path: string,
  name: string,
  results: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  try {
    const answers = JSON.parse(await readFile(path, 'utf8')) as { outcome: unknown }[];
    const judged = answers.map((answer, index) => {
      const verdict = results.get(`fixture ${name} answer ${index + 1}`);
      return verdict === undefined
        ? answer
        : { outcome: answer.outcome, verdict: JSON.parse(verdict) as unknown };
    });
    return JSON.stringify(judged);
  } catch {
    return undefined;
  }
}

function sameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    return false;
  }
}
