import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { LeadDocument } from '../../model/lead.ts';
import type { AttemptOutcome, CrmAdapter, Delivery, Verdict } from '../crm-adapter.ts';
import { firstDifference } from '../first-difference.ts';
import type { LoadedCrmAdapter } from '../loader.ts';
import { deliveryAddresses, deliveryFaults, openTexts } from './delivery-faults.ts';
import { readCrmFixtures, type CrmFixture } from './fixtures.ts';
import { hostileLeads, MARK } from './hostile-leads.ts';
import { checkOptionsSchema, soundOptions } from './options-checks.ts';
import { secretsOf } from './secret-options.ts';
import { TRIAL_OUTCOMES } from './trial-outcomes.ts';
import { call, plain, type Trial } from './trial.ts';
import { judgementFault, verdictFault } from './verdict-faults.ts';

/** One fixture's options with which the adapter is tried. */
interface Setting {
  trial: Trial;
  crm: CrmAdapter;
  fixture: string;
  options: unknown;
  secrets: readonly string[];
}

/** Tries a CRM adapter with the options of each of its fixtures. */
export async function checkCrm(adapter: LoadedCrmAdapter, trial: Trial): Promise<void> {
  checkOptionsSchema(adapter, trial);
  for (const fixture of await readCrmFixtures(join(adapter.folder, 'fixtures'))) {
    if (fixture.ok) {
      checkWithFixture(adapter, fixture.value, trial);
      await trial.guard.watchRest();
    } else trial.findings.addProblems('fixtures', fixture.problems);
  }
}

function checkWithFixture(adapter: LoadedCrmAdapter, fixture: CrmFixture, trial: Trial): void {
  const { name } = fixture;
  const { options } = fixture;
  if (!soundOptions(adapter, name, options, trial)) return;
  const setting: Setting = {
    trial,
    crm: adapter.crm,
    fixture: `fixture ${name}`,
    options,
    secrets: secretsOf(options, adapter.optionsSchema),
  };
  askAboutOptions(setting);
  const delivery = checkFixtureDelivery(setting, fixture);
  for (const { name: kind, lead } of hostileLeads()) tryLead(setting, kind, lead);
  for (const [index, answer] of fixture.answers.entries()) {
    checkFixtureAnswer(setting, answer, index + 1);
  }
  for (const outcome of TRIAL_OUTCOMES) tryOutcome(setting, outcome, delivery?.kind);
}

function askAboutOptions({ trial, crm, fixture, options, secrets }: Setting): void {
  const copy = structuredClone(options);
  const checked = call(trial, 'options', 'check', fixture, () => crm.check(options));
  if (checked.ok && !Array.isArray(checked.value)) {
    trial.findings.add('options', fixture, 'check gives no list of problems');
  } else if (checked.ok) {
    for (const { message } of checked.value) {
      trial.findings.add('fixtures', fixture, `check refuses its options: ${message}`);
    }
  }
  if (crm.place !== undefined) {
    const place = call(trial, 'options', 'place', fixture, () => crm.place?.(options));
    if (place.ok) tellSecrets(trial, fixture, 'place', JSON.stringify(place.value), secrets);
  }
  tellChange(trial, fixture, 'check or place changes its options', options, copy);
}

function checkFixtureDelivery(
  setting: Setting,
  { name, lead, delivery: expected }: CrmFixture,
): Delivery | undefined {
  const { trial, fixture } = setting;
  const delivery = tryLead(setting, undefined, lead);
  if (delivery === undefined) return undefined;
  if (!isDeepStrictEqual(plain(delivery), expected)) {
    const difference = firstDifference(plain(delivery), expected);
    trial.findings.add(
      'fixtures',
      fixture,
      `build gives another delivery than ${name}.delivery.json at ${difference}`,
    );
  }
  return delivery;
}

/** Builds one lead twice and looks at what comes of it. */
function tryLead(setting: Setting, kind: string | undefined, lead: LeadDocument): Delivery | undefined {
  const { trial, crm, options } = setting;
  const subject =
    kind === undefined ? setting.fixture : `lead "${kind}" with the options of ${setting.fixture}`;
  const copies = structuredClone([lead, options] as const);
  const built = call(trial, 'leads', 'build', subject, () => crm.build(lead, options));
  tellChange(trial, subject, 'build changes the lead', lead, copies[0]);
  tellChange(trial, subject, 'build changes its options', options, copies[1]);
  if (!built.ok) return undefined;
  const faults = deliveryFaults(built.value);
  for (const fault of faults) trial.findings.add('leads', subject, fault);
  if (faults.length > 0) return undefined;
  checkRepeat(setting, subject, built.value, copies);
  checkAddresses(setting, subject, kind, built.value);
  tellSecrets(trial, subject, 'the delivery', openTexts(built.value).join('\n'), setting.secrets);
  return built.value;
}

function checkRepeat(
  { trial, crm }: Setting,
  subject: string,
  delivery: Delivery,
  [lead, options]: readonly [LeadDocument, unknown],
): void {
  const first = plain(delivery);
  trial.keep(subject, first);
  const again = call(trial, 'repeats', 'build', subject, () => crm.build(lead, options));
  if (!again.ok || isDeepStrictEqual(plain(again.value), first)) return;
  const difference = firstDifference(plain(again.value), first);
  trial.findings.add('repeats', subject, `build gives another delivery the second time at ${difference}`);
}

function checkAddresses(
  { trial }: Setting,
  subject: string,
  kind: string | undefined,
  delivery: Delivery,
): void {
  if (kind !== 'marked') return;
  const place = deliveryAddresses(delivery).find((text) => text.toLowerCase().includes(MARK));
  if (place !== undefined) {
    trial.findings.add(
      'addresses',
      subject,
      `${JSON.stringify(place.slice(0, 100))} comes from the buyer's words`,
    );
  }
}

function checkFixtureAnswer(
  { trial, crm, fixture, options }: Setting,
  { outcome, verdict: expected }: CrmFixture['answers'][number],
  number: number,
): void {
  const subject = `${fixture}, ${brief(outcome)}`;
  const judged = call(trial, 'verdicts', 'classify', subject, () => crm.classify(outcome, options));
  if (!judged.ok) return;
  trial.keep(`${fixture} answer ${number}`, plain(judged.value));
  if (expected === undefined) {
    trial.findings.add('fixtures', subject, 'it has no verdict yet; --accept writes it');
    return;
  }
  if (isDeepStrictEqual(plain(judged.value), expected)) return;
  const difference = firstDifference(plain(judged.value), expected);
  trial.findings.add('fixtures', subject, `classify gives another verdict than expected at ${difference}`);
}

function tryOutcome(
  { trial, crm, fixture, options, secrets }: Setting,
  outcome: AttemptOutcome,
  kind: Delivery['kind'] | undefined,
): void {
  const subject = `${fixture}, ${brief(outcome)}`;
  const copies = structuredClone([outcome, options] as const);
  const judged = call(trial, 'verdicts', 'classify', subject, () => crm.classify(outcome, options));
  tellChange(trial, subject, 'classify changes the outcome or its options', [outcome, options], copies);
  if (!judged.ok) return;
  const fault =
    verdictFault(judged.value) ?? (outcome.kind === kind ? judgementFault(judged.value, outcome) : undefined);
  if (fault !== undefined) trial.findings.add('verdicts', subject, `classify answers with ${fault}`);
  else tellSecrets(trial, subject, 'the verdict', textsOf(judged.value), secrets);
  trial.keep(`${subject}: classify`, plain(judged.value));
}

function textsOf({ reason, reference = '' }: Verdict): string {
  return `${reason}\n${reference}`;
}

function tellSecrets(
  { findings }: Trial,
  subject: string,
  what: string,
  text: string | undefined,
  secrets: readonly string[],
): void {
  if (secrets.some((secret) => text?.includes(secret))) {
    findings.add('secrets', subject, `${what} shows the value of a secret setting`);
  }
}

function tellChange({ findings }: Trial, subject: string, what: string, now: unknown, before: unknown): void {
  if (isDeepStrictEqual(now, before)) return;
  // The place alone: the same fault with every lead is one.
  const [place = ''] = firstDifference(now, before).split(/ \(line|: got /);
  findings.add('input', subject, `${what} at ${place}`);
}

function brief(outcome: AttemptOutcome): string {
  const text = JSON.stringify(outcome);
  return `answer ${text.length > 120 ? `${text.slice(0, 117)}...` : text}`;
}
