import { numberAt, textAt, valueAt, listAt } from '../json-value.ts';
import { describeFaults, schemaFaults } from '../payload-schemas.ts';
import { allOf, expectThat, failed, PASSED, type Finding } from './check.ts';
import type { Probed } from './probe.ts';

/** A result came, whatever it holds. */
export function served(answer: Probed): Finding {
  return expectThat(answer.result !== undefined && answer.error === undefined, 'a result', summary(answer));
}

/** An error of JSON-RPC or A2A; of several codes any will do. */
export function refusedWith(answer: Probed, ...codes: readonly number[]): Finding {
  const code = numberAt(answer.error, 'code');
  const isRight = code !== undefined && codes.includes(code) && answer.result === undefined;
  return expectThat(isRight, `error ${codes.join(' or ')}`, summary(answer));
}

/** As {@link refusedWith}, and `data` is a list whose ErrorInfo carries the reason (A2A section 9.5). */
export function a2aRefusal(answer: Probed, code: number, reason: string): Finding {
  const infos = listAt(answer.error, 'data');
  const hasReason = infos.some(
    (info) =>
      textAt(info, '@type') === 'type.googleapis.com/google.rpc.ErrorInfo' &&
      textAt(info, 'reason') === reason,
  );
  return allOf(
    refusedWith(answer, code),
    expectThat(hasReason, `error.data is a list with an ErrorInfo of reason ${reason}`, answer.error),
  );
}

/** An AAP code under its JSON-RPC code, and `data` is an aap.error as it should be (aap-v1.3 section 3). */
export function aapRefusal(answer: Probed, rpcCode: number, ...codes: readonly string[]): Finding {
  const data = valueAt(answer.error, 'data');
  const faults = describeFaults(schemaFaults('error', data));
  return allOf(
    refusedWith(answer, rpcCode),
    expectThat(
      codes.includes(textAt(data, 'code') ?? ''),
      `the AAP code ${codes.join(' or ')}`,
      answer.error,
    ),
    faults.length === 0 ? PASSED : failed('error.data is an aap.error', faults.join('; ')),
  );
}

/** What came, in one line. */
export function summary({ status, text, error, result }: Probed): string {
  if (error !== undefined) return `HTTP ${status}, error ${JSON.stringify(error)}`;
  if (result !== undefined) return `HTTP ${status}, result ${JSON.stringify(result)}`;
  return `HTTP ${status}, ${text === '' ? 'an empty body' : text}`;
}
