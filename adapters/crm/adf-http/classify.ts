import { retryAfterOf } from '../../../src/adapters/index.ts';
import type { AttemptOutcome, Verdict } from '../../../src/adapters/index.ts';
import { answerWords } from './answer-words.ts';
import { keepsRule, readReference } from './answer.ts';
import type { Options, StatusMeaning } from './options.ts';

type HttpOutcome = Extract<AttemptOutcome, { kind: 'http' }>;

/** The core cuts an answer here; what was cut can not be judged. */
const CUT_BODY_BYTES = 64 * 1024;

/** The CRM does not let us in: the login, a right that is missing, the proxy. */
const NOT_LET_IN = new Set([401, 403, 407]);
/**
 * Speak of the address, the method, the form of the request or the account, which are the same for every lead: a
 * mistyped url would have all of them refused, one by one.
 */
const WRONG_FOR_ALL = new Set([304, 402, 404, 405, 406, 410, 411, 415, 421, 426]);

/** What the CRM's answer means: by its status, and by the rules of the options for a status that says success. */
export function classify(outcome: AttemptOutcome, options: Options): Verdict {
  if (outcome.kind !== 'http') return { state: 'retry', reason: 'no request was made' };
  if (outcome.sent === 'no') return judgeUnsent(outcome);
  const { status } = outcome;
  if (outcome.sent === 'maybe' || status === undefined) {
    return {
      state: 'uncertain',
      reason: `the request went out, but no answer came back: ${outcome.error ?? 'no reason given'}`,
    };
  }
  const meaning = options.answer.status[status];
  if (meaning === 'delivered' || (meaning === undefined && status >= 200 && status < 300)) {
    return judgeSuccess(status, outcome, options);
  }
  return meaning === undefined ? judgeFailure(status, outcome) : judgeByMeaning(meaning, status, outcome);
}

function judgeUnsent({ stage, error = 'no reason given', needsPerson }: HttpOutcome): Verdict {
  const place = { token: 'the token server', proxy: 'the proxy', connect: 'the CRM', tls: 'the CRM' }[
    stage ?? 'connect'
  ];
  const reason = stage === 'token' ? error : `${place} could not be reached: ${error}`;
  return { state: 'retry', reason, ...(needsPerson === true ? { pauseDestination: true } : {}) };
}

function judgeByMeaning(
  meaning: Exclude<StatusMeaning, 'delivered'>,
  status: number,
  { headers = {}, body }: HttpOutcome,
): Verdict {
  const reason = `the CRM answered ${status}, which the settings read as ${meaning}${answerWords(body)}`;
  if (meaning === 'rejected') return { state: 'rejected', reason };
  const retryAfterMs = retryAfterOf(headers);
  return {
    state: 'retry',
    reason,
    ...(meaning === 'pause' ? { pauseDestination: true } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function judgeSuccess(status: number, { body = '', error }: HttpOutcome, { answer }: Options): Verdict {
  // The rules say what a success looks like; another status has been named one by the settings themselves.
  const rules = status >= 200 && status < 300 ? answer.rules : [];
  let broken: number;
  try {
    broken = rules.findIndex((rule) => !keepsRule(body, rule));
  } catch {
    const reason = `the CRM answered ${status}, and a pattern of the settings takes too long on its answer`;
    return { state: 'uncertain', reason };
  }
  if (broken !== -1) {
    // What the rule looks for may stand in the part that did not come.
    if (error !== undefined) {
      return {
        state: 'uncertain',
        reason: `the CRM answered ${status}, but its answer could not be read: ${error}`,
      };
    }
    if (Buffer.byteLength(body) >= CUT_BODY_BYTES) {
      return { state: 'uncertain', reason: `the CRM answered ${status} with too long a text to judge` };
    }
    return {
      state: rules[broken]?.otherwise ?? answer.otherwise,
      reason: `the CRM answered ${status}, but its answer breaks rule ${broken + 1} of the settings${answerWords(body)}`,
    };
  }
  const reference = answer.reference === undefined ? undefined : readReference(body, answer.reference);
  return {
    state: 'delivered',
    reason: `the CRM answered ${status}`,
    ...(reference === undefined ? {} : { reference }),
  };
}

function judgeFailure(status: number, { headers, body }: HttpOutcome): Verdict {
  const answered = `the CRM answered ${status}`;
  const words = answerWords(body);
  if (NOT_LET_IN.has(status)) {
    return { state: 'retry', reason: `${answered}: it does not let us in${words}`, pauseDestination: true };
  }
  if (WRONG_FOR_ALL.has(status)) {
    const reason = `${answered}: it takes no lead in this way${words}`;
    return { state: 'retry', reason, pauseDestination: true };
  }
  if (status >= 300 && status < 400) {
    const reason = `${answered}: leads go to another address now${words}`;
    return { state: 'retry', reason, pauseDestination: true };
  }
  const reason = `${answered}${words}`;
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    const retryAfterMs = retryAfterOf(headers ?? {});
    return { state: 'retry', reason, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  if (status >= 400) return { state: 'rejected', reason: `${answered}: it refused the lead${words}` };
  return { state: 'uncertain', reason };
}
