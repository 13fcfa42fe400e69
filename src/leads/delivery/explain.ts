import type { AttemptOutcome } from '../../adapters/crm-adapter.ts';
import { EXPLANATIONS, type Explanation } from './explanations.ts';

/** What an attempt ran into, as far as it is a known fault; the most exact one. Undefined for a success. */
export function explain(outcome: AttemptOutcome): Explanation | undefined {
  return EXPLANATIONS.find(({ when }) => {
    const { kind, stage, code, said } = when;
    return (
      (kind === undefined || kind.includes(outcome.kind)) &&
      (stage === undefined || stage.includes(stageOf(outcome))) &&
      (code === undefined || code(codeOf(outcome))) &&
      (said === undefined || said.test(wordsOf(outcome)))
    );
  });
}

function stageOf(outcome: AttemptOutcome): string {
  return 'stage' in outcome ? (outcome.stage ?? '') : '';
}

function codeOf(outcome: AttemptOutcome): number {
  if (outcome.kind === 'email') return outcome.code ?? 0;
  return outcome.kind === 'http' ? (outcome.status ?? 0) : 0;
}

function wordsOf(outcome: AttemptOutcome): string {
  const { error = '' } = outcome;
  return outcome.kind === 'email' ? `${outcome.response ?? ''} ${error}` : error;
}
