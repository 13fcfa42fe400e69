import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import { exposureWarnings } from '../../config/exposure.ts';
import { rooftopContactWarnings } from '../../config/rooftop-contact-warnings.ts';
import { timeZoneWarnings } from '../../config/time-zone-warnings.ts';
import { secretFiles } from '../../config/secrets.ts';
import { loadVocabularies } from '../../feeds/profile/vocabulary.ts';
import { openQuestions } from '../../feeds/profile/open-questions.ts';
import { prepareFeed } from '../../feeds/prepare-feed.ts';
import type { Finding } from '../../model/finding.ts';
import { describeProblem } from '../../model/problem.ts';
import { VOCABULARY_FOLDER } from '../shopper-words.ts';
import { tokenFinding } from './tokens.ts';

/** Settings without faults, and what they name: profiles, readers, words, secrets, tokens. */
export async function settingsFindings(config: Config, now: number): Promise<Finding[]> {
  const { file, dealer, feeds, leads, access } = config;
  const counts = [
    counted(dealer.rooftops.length, 'rooftop'),
    counted(feeds.length, 'feed'),
    counted(leads.destinations.length, 'destination'),
  ].join(', ');
  return [
    {
      key: 'settings',
      status: 'ok',
      text: `${basename(file)} has no faults: ${counts}; its secrets are there.`,
    },
    ...(await secretFileFindings(config)),
    ...contactFindings(config),
    ...timeZoneFindings(config),
    ...(await exposureFindings(config, now)),
    await tokenFinding(access, now),
    ...(await vocabularyFindings()),
    ...(await feedFindings(config)),
  ];
}

/** What everybody at the machine can read is no secret. Windows keeps rights elsewhere. */
async function secretFileFindings({ file }: Config): Promise<Finding[]> {
  if (process.platform === 'win32') return [];
  const findings: Finding[] = [];
  for (const secret of secretFiles(await readFile(file, 'utf8'), dirname(file))) {
    const mode = await stat(secret).then(
      (facts) => facts.mode,
      () => 0,
    );
    if ((mode & 0o004) === 0) continue;
    const text = `Everybody at this machine can read the secret in ${secret}.`;
    findings.push({ key: 'secret-file', status: 'warn', text, remedy: `chmod o-rwx ${secret}` });
  }
  return findings;
}

async function exposureFindings(config: Config, now: number): Promise<Finding[]> {
  const warnings = await exposureWarnings(config, now);
  return (
    warnings
      // The certificate is looked at more closely elsewhere.
      .filter(({ where }) => where?.path !== 'server.tls.cert')
      .map((warning) => ({
        key: `exposure:${warning.where?.path ?? ''}`,
        status: 'warn',
        text: describeProblem(warning),
        remedy: 'See docs/protocol.md on what stands between the bridge and the internet.',
      }))
  );
}

function timeZoneFindings(config: Config): Finding[] {
  return timeZoneWarnings(config).map((warning) => ({
    key: `time-zone:${warning.where?.path ?? ''}`,
    status: 'warn',
    text: describeProblem(warning),
    remedy: 'Correct it in the settings; the running bridge takes it up by itself.',
  }));
}

function contactFindings(config: Config): Finding[] {
  return rooftopContactWarnings(config).map((warning) => ({
    key: `contact:${warning.where?.path ?? ''}`,
    status: 'warn',
    text: describeProblem(warning),
    remedy: 'Add it to the settings; the running bridge takes it up by itself.',
  }));
}

async function vocabularyFindings(): Promise<Finding[]> {
  const key = 'vocabulary';
  const loaded = await loadVocabularies(VOCABULARY_FOLDER);
  if (loaded.ok) return [{ key, status: 'ok', text: 'The vocabulary loads.' }];
  return loaded.problems.map((problem) => ({
    key,
    status: 'fail',
    text: describeProblem(problem),
    remedy: 'Mend the file, or take it from the package of this version again.',
  }));
}

async function feedFindings(config: Config): Promise<Finding[]> {
  const services = { dataFolder: config.data_folder, rooftops: config.dealer.rooftops };
  const found = await Promise.all(
    config.feeds.map(async (feed): Promise<Finding[]> => {
      const key = `feed:${feed.id}`;
      const prepared = await prepareFeed(feed, services);
      if (!prepared.ok) {
        return prepared.problems.map((problem) => ({
          key,
          status: 'fail',
          text: `Feed ${feed.id}: ${describeProblem(problem)}`,
          remedy: 'Every file of the feed would be refused: mend its profile or reader.',
        }));
      }
      const { profile } = prepared.value;
      const questions = await openQuestions(profile.file);
      return [
        {
          key,
          status: 'ok',
          text: `Feed ${feed.id}: its profile ${basename(profile.file)} and its reader load.`,
        },
        ...questions.map(({ line, question }): Finding => ({
          key: `question:${feed.id}:${line}`,
          status: 'warn',
          text: `${profile.file}:${line}: nobody has answered: ${question}`,
          remedy: 'Decide it, then take the comment out.',
        })),
      ];
    }),
  );
  return found.flat();
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
