import type { Finding, FindingStatus } from '../model/finding.ts';
import { worstOf } from '../model/finding.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { oneLine, wrapWords } from './text-table.ts';

const WIDTH = 110;
const MARKS: Readonly<Record<FindingStatus, string>> = { fail: 'FAIL', warn: 'WARN', ok: 'ok  ' };
const ORDER: readonly FindingStatus[] = ['fail', 'warn', 'ok'];

/** What was found for a person: the worst first, and what to do about it. */
export function probeText(findings: readonly Finding[]): string {
  const lines = ORDER.flatMap((status) => findings.filter((finding) => finding.status === status)).map(
    (finding) => {
      const told = paragraph(`${finding.key}: ${finding.text}`);
      const todo = finding.status === 'ok' ? '' : `\n      -> ${paragraph(finding.remedy, '         ')}`;
      return `${MARKS[finding.status]}  ${told}${todo}`;
    },
  );
  return [...lines, '', summary(findings), ''].join('\n');
}

/** For programs, in the form of the checks of the health page. */
export function probeJson(findings: readonly Finding[], version: string, checkedAt: string): string {
  const report = { status: worstOf(findings), version, checked_at: checkedAt, checks: findings };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/** As monitoring programs have it: 0 well, 1 warnings, 2 failures. */
export function probeExitCode(findings: readonly Finding[]): number {
  switch (worstOf(findings)) {
    case 'ok':
      return EXIT_CODES.done;
    case 'warn':
      return EXIT_CODES.problems;
    case 'fail':
      return EXIT_CODES.probeFailed;
  }
}

function summary(findings: readonly Finding[]): string {
  const count = (wanted: FindingStatus): number => findings.filter(({ status }) => status === wanted).length;
  const [failures, warnings, fine] = [count('fail'), count('warn'), count('ok')];
  return `${failures} ${failures === 1 ? 'failure' : 'failures'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${fine} fine.`;
}

function paragraph(text: string, indent = '      '): string {
  return wrapWords(oneLine(text).split(' '), WIDTH, indent).trimStart();
}
