import type { AdapterProblemCode } from '../problems.ts';

interface Check {
  /** What holds when it is passed. */
  title: string;
  /** What is told otherwise. */
  code: AdapterProblemCode;
}

/** What every adapter must keep, in the order in which it is told. */
export const CHECKS = {
  loads: { title: 'manifest, options schema and code load', code: 'ADAPTER_CONTRACT_BROKEN' },
  options: {
    title: 'every setting is described, and an unknown one is refused',
    code: 'ADAPTER_OPTIONS_UNCLEAR',
  },
  fixtures: { title: 'the fixtures come out exactly', code: 'ADAPTER_FIXTURE_INVALID' },
  leads: {
    title: 'hostile and nearly empty leads become something that can be sent',
    code: 'ADAPTER_LEAD_BREAKS',
  },
  addresses: { title: 'nothing a buyer writes decides where leads go', code: 'ADAPTER_LEAD_DECIDES' },
  verdicts: { title: 'every answer gets a verdict that loses no lead', code: 'ADAPTER_VERDICT_WRONG' },
  secrets: { title: 'no secret setting is shown', code: 'ADAPTER_SHOWS_SECRET' },
  input: { title: 'what it is given stays as it was', code: 'ADAPTER_CHANGES_INPUT' },
  rows: { title: 'rows are numbered, of texts, under normalised columns', code: 'ADAPTER_ROWS_WRONG' },
  chunks: {
    title: 'the rows are the same however the text is cut into chunks',
    code: 'ADAPTER_CHUNKS_MATTER',
  },
  files: { title: 'files that are cut off, empty or hostile break nothing', code: 'ADAPTER_FILE_BREAKS' },
  repeats: {
    title: 'the same input gives the same result, on any day and any machine',
    code: 'ADAPTER_NOT_REPEATABLE',
  },
  pure: { title: 'no clock, randomness, network, file, environment or console', code: 'ADAPTER_IMPURE' },
  bounds: { title: 'every call comes to its end soon', code: 'ADAPTER_TOO_SLOW' },
} as const satisfies Record<string, Check>;

export type CheckId = keyof typeof CHECKS;

export const CHECKS_OF: Readonly<Record<'crm' | 'feed-reader', readonly CheckId[]>> = {
  crm: [
    'loads',
    'options',
    'fixtures',
    'leads',
    'addresses',
    'verdicts',
    'secrets',
    'input',
    'repeats',
    'pure',
    'bounds',
  ],
  'feed-reader': [
    'loads',
    'options',
    'fixtures',
    'rows',
    'chunks',
    'files',
    'input',
    'repeats',
    'pure',
    'bounds',
  ],
};
