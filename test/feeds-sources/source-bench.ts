import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig, SourceConfig } from '../../src/config/config.ts';
import { DEFAULT_SOURCE_LIMITS, type SourceLimits } from '../../src/feeds/limits.ts';
import { lookAtSource } from '../../src/feeds/sources/look-at-source.ts';
import type { Findings } from '../../src/feeds/sources/look.ts';
import { readingRule } from '../../src/feeds/sources/reading-rule.ts';
import type { SourceFault } from '../../src/feeds/sources/source-fault.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import { Dealership } from '../feeds-intake/dealership.ts';

/** A dealership with one feed whose source is looked at by hand; nobody takes the files out of its inbox. */
export class SourceBench {
  readonly dealership: Dealership;
  readonly feed: FeedConfig;

  private constructor(dealership: Dealership) {
    this.dealership = dealership;
    this.feed = dealership.feed('aap', { settle_ms: 1 });
  }

  static async open(): Promise<SourceBench> {
    return new SourceBench(await Dealership.open());
  }

  /** Names that landed. */
  async look(...look: Parameters<SourceBench['find']>): Promise<string[]> {
    return (await this.find(...look)).landed;
  }

  find(
    source: SourceConfig,
    {
      limits,
      feed,
      again = false,
      rooftops,
    }: {
      rooftops?: readonly Rooftop[];
      limits?: Partial<SourceLimits>;
      feed?: Partial<FeedConfig>;
      again?: boolean;
    } = {},
  ): Promise<Findings> {
    const { dataFolder, clock } = this.dealership.services();
    const services = { dataFolder, clock, again, limits: { ...DEFAULT_SOURCE_LIMITS, ...limits } };
    const asked = { ...this.feed, ...feed };
    const rule = rooftops && {
      readingRule: () => readingRule(asked, { dataFolder, rooftops, intake: this.dealership.store, clock }),
    };
    return lookAtSource(asked, source, { ...services, ...rule }, new AbortController().signal);
  }

  async fault(...look: Parameters<SourceBench['look']>): Promise<SourceFault> {
    return this.look(...look).then(
      (landed) => Promise.reject(new Error(`no fault, but ${landed.join(', ')}`)),
      (fault: unknown) => fault as SourceFault,
    );
  }

  inboxPath(name: string): string {
    return path.join(this.feed.folder, name);
  }

  /** What lies in the inbox, by name. */
  async inbox(): Promise<Record<string, string>> {
    const names = await readdir(this.feed.folder).catch(() => []);
    const texts = await Promise.all(names.sort().map((name) => readFile(this.inboxPath(name), 'utf8')));
    return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
  }

  /** As the inbox does when it takes a file in. */
  async takeAway(name: string): Promise<void> {
    await rm(this.inboxPath(name));
  }

  /** Names in the folder where downloads come down. */
  async unfinished(): Promise<string[]> {
    const names = await readdir(path.join(this.dealership.folder, 'sources')).catch(() => []);
    return names.filter((name) => name.endsWith('.download'));
  }
}
