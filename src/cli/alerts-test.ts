import type { Command } from 'commander';
import type { AttemptOutcome } from '../adapters/crm-adapter.ts';
import type { Config } from '../config/config.ts';
import { secretsOf } from '../config/secret-values.ts';
import { explain } from '../leads/delivery/explain.ts';
import { withoutSecretWords } from '../leads/delivery/secret-words.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { alertChannels } from '../runtime/alert-channels.ts';
import type { AlertChannel, AlertMessage } from '../runtime/alerts.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printableText } from './printable-text.ts';

interface Advice {
  means: string;
  remedy: string;
}

/** `alerts test`: one marked message over each way of the settings, and in words what became of it. */
export function addAlertsTestCommand(alerts: Command): void {
  withConfigOptions(alerts.command('test'))
    .summary('send a marked test message over each configured way')
    .description(
      'Sends one message that is marked as a test by mail and to the webhook, whichever the settings have, just as ' +
        'alerts are sent, and tells of each what became of it or what to do about the fault. Nothing is stored.',
    )
    .action(test);
}

async function test(options: ConfigOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const channels = alertChannels(config.alerts);
  if (channels.length === 0) {
    console.error('Nobody is told of anything: the settings have neither alerts.mail nor alerts.webhook.');
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const failed = [];
  for (const channel of channels) if (!(await trySending(channel, config))) failed.push(channel);
  if (failed.length > 0) throw new CommandStopped(EXIT_CODES.problems);
}

async function trySending(channel: AlertChannel, config: Config): Promise<boolean> {
  const told = (line: string): void =>
    console.log(printableText(withoutSecretWords(line, secretsOf(config))));
  try {
    await channel.send(testMessage(config));
    told(`${channel.name}: sent. ${ARRIVAL[channel.name] ?? ''}`.trimEnd());
    return true;
  } catch (fault) {
    told(`${channel.name}: not sent: ${reasonOf(fault)}`);
    const advice = adviceOn(channel.name, fault);
    if (advice !== undefined) {
      // The explanations speak of the settings of a destination.
      const remedy = advice.remedy
        .replaceAll(/\bsmtp\.(?=[a-z])/g, 'alerts.mail.')
        .replaceAll(
          'into the option ca',
          'into a file that the environment variable NODE_EXTRA_CA_CERTS names',
        );
      told(`  What it means: ${advice.means}\n  What to do: ${remedy}`);
    }
    return false;
  }
}

const ARRIVAL: Readonly<Record<string, string>> = {
  mail: 'The mail server took it; see that it is in the inbox and not with the junk.',
  webhook: 'See that the message stands where it should.',
};

function testMessage({ dealer }: Config): AlertMessage {
  return {
    test: true,
    from: dealer.name,
    raised: [
      {
        key: 'test',
        text: 'This is a test: somebody wanted to see whether alerts arrive.',
        remedy: 'There is nothing to do.',
      },
    ],
    resolved: [],
    sentAt: formatInstant(systemClock.now()),
  };
}

/** What `fetch` throws says nothing; the reason is its cause. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const { cause } = fault;
  if (!(cause instanceof Error)) return fault.message;
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
}

function adviceOn(channel: string, fault: unknown): Advice | undefined {
  const facts = (typeof fault === 'object' ? fault : {}) as Record<string, unknown>;
  const error = reasonOf(fault);
  if (channel !== 'mail') {
    const byStatus = WEBHOOK_ANSWERS.find(
      ({ from, to }) => Number(facts.status) >= from && Number(facts.status) <= to,
    );
    return byStatus ?? explain({ kind: 'http', sent: 'no', stage: 'connect', error });
  }
  const outcome: AttemptOutcome = {
    kind: 'email',
    sent: 'no',
    stage: STAGES[String(facts.code)] ?? 'connect',
    error,
    ...(typeof facts.responseCode === 'number' && { code: facts.responseCode }),
    ...(typeof facts.response === 'string' && { response: facts.response }),
  };
  return explain(outcome);
}

/** How far the mail got, by nodemailer's names of faults. */
const STAGES: Readonly<Record<string, Extract<AttemptOutcome, { kind: 'email' }>['stage']>> = {
  EAUTH: 'auth',
  ENOAUTH: 'auth',
  ETLS: 'tls',
  EENVELOPE: 'envelope',
  EMESSAGE: 'data',
};

const WEBHOOK_ANSWERS: readonly (Advice & { from: number; to: number })[] = [
  {
    from: 401,
    to: 403,
    means: 'The webhook does not accept the token, or its address is no longer valid.',
    remedy:
      'Make a new webhook where the messages should stand, and put its address and token into the settings.',
  },
  {
    from: 404,
    to: 410,
    means: 'There is no webhook at this address any more.',
    remedy: 'Make a new one where the messages should stand, and put its address into alerts.webhook.url.',
  },
  {
    from: 400,
    to: 499,
    means: 'The webhook does not like the message.',
    remedy:
      'It must take JSON with a member "text". One that wants another form needs a program in between that changes it.',
  },
  {
    from: 500,
    to: 599,
    means: 'The service behind the webhook has a fault of its own.',
    remedy: 'Try again later.',
  },
];
