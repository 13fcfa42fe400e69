import type { Finding } from '../../model/finding.ts';

/** No probe is waited for longer: a firewall that drops silently, or a share that is gone, answers never. */
export const PROBE_LIMIT_MS = 20_000;

/** What a probe finds; when it does not end in time, or breaks down, that is what is found. Never rejects. */
export async function within(
  key: string,
  what: string,
  probe: () => Promise<Finding[]>,
  limitMs = PROBE_LIMIT_MS,
): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Finding[]>((resolve) => {
    const text = `${what}: nothing came of it within ${Math.round(limitMs / 1000)} seconds.`;
    const remedy =
      'Look whether a firewall, a network share that is gone, or an overloaded machine holds it up.';
    timer = setTimeout(() => resolve([{ key, status: 'fail', text, remedy }]), limitMs);
  });
  try {
    return await Promise.race([probe(), tooLate]);
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    const remedy = 'Mend what it says and check again.';
    return [{ key, status: 'fail', text: `${what}: ${reason}`, remedy }];
  } finally {
    clearTimeout(timer);
  }
}
