import type { Problem } from '../../../src/adapters/index.ts';

/** A setting that is wrong; `path` as `answer.rules[0].json`. */
export function fault(path: string, message: string, remedy?: string): Problem {
  return {
    code: 'ADAPTER_OPTION_INVALID',
    message,
    ...(remedy === undefined ? {} : { remedy }),
    where: { path },
  };
}
