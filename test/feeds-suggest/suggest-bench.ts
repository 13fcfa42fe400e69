import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { previewFile, type Preview } from '../../src/feeds/preview.ts';
import { suggestProfile, type Suggestion } from '../../src/feeds/suggest/suggest.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';
import { Dealership } from '../feeds-intake/dealership.ts';

/** Exports written on the spot, the profile proposed for each, and what the profile makes of it. */
export class SuggestBench {
  readonly folder: string;
  readonly #dealership: Dealership;

  private constructor(folder: string, dealership: Dealership) {
    this.folder = folder;
    this.#dealership = dealership;
  }

  static async open(): Promise<SuggestBench> {
    return new SuggestBench(await mkdtemp(path.join(tmpdir(), 'suggest-')), await Dealership.open());
  }

  async close(): Promise<void> {
    await this.#dealership.close();
    await rm(this.folder, { recursive: true });
  }

  async write(text: string | Uint8Array, name: string): Promise<string> {
    const file = path.join(this.folder, name);
    await writeFile(file, text);
    return file;
  }

  async suggest(file: string): Promise<Suggestion> {
    const suggested = await suggestProfile(file);
    if (!suggested.ok) throw new Error(suggested.problems.map(({ code }) => code).join());
    return suggested.value;
  }

  async suggestText(text: string, name = 'export.csv'): Promise<Suggestion> {
    return this.suggest(await this.write(text, name));
  }

  /** What the profile makes of the file at once, no question answered. */
  async preview(file: string, { profile }: Pick<Suggestion, 'profile'>, rooftop?: string): Promise<Preview> {
    const profileFile = await this.write(profile, `${path.basename(file)}.yaml`);
    const store = openInventoryStore(':memory:');
    try {
      const over = rooftop === undefined ? {} : { rooftop: { kind: 'fixed' as const, id: rooftop } };
      const feed = this.#dealership.feed(profileFile, over);
      return (await previewFile(file, feed, this.#dealership.services({ intake: store }))).preview;
    } finally {
      store.close();
    }
  }

  /** Both in one: the export written, its profile proposed and tried at once. */
  async try(text: string, name = 'export.csv'): Promise<{ suggestion: Suggestion; preview: Preview }> {
    const suggestion = await this.suggestText(text, name);
    return { suggestion, preview: await this.preview(path.join(this.folder, name), suggestion) };
  }
}
