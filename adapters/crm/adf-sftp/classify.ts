import type { AttemptOutcome, Verdict } from '../../../src/adapters/index.ts';

/**
 * Before the rename nobody but the server's own temporary name has the lead, so it is tried again; a refused login
 * or a server with another key concerns every lead and pauses the destination.
 */
export function classify(outcome: AttemptOutcome): Verdict {
  if (outcome.kind !== 'sftp') return { state: 'retry', reason: 'no upload was tried' };
  const { sent, stage, error = 'no reason given', needsPerson } = outcome;
  if (sent === 'yes') return { state: 'delivered', reason: 'the file is on the server' };
  if (sent === 'maybe') {
    return {
      state: 'uncertain',
      reason: `the file was uploaded, but its renaming was not confirmed: ${error}`,
    };
  }
  const reason = `${FAILED[stage]}: ${error}`;
  return { state: 'retry', reason, ...(needsPerson === true ? { pauseDestination: true } : {}) };
}

const FAILED = {
  connect: 'the server could not be reached',
  auth: 'the server does not let us in',
  upload: 'the file could not be uploaded',
  rename: 'the uploaded file could not be renamed',
  done: 'the upload failed',
} as const;
