/** One line of a table, the same in every bench, so that any two runs can be compared figure by figure. */
export interface Row {
  name: string;
  /** By what stands above the column; a text where there is no figure, such as a peer that is not installed. */
  values: Record<string, number | string>;
  goals: Goal[];
}

export interface Goal {
  /** Such as `at least 60 % of bare`. */
  text: string;
  met: boolean;
}

export interface Result {
  measuredAt: string;
  machine: Record<string, string | number>;
  parts: Record<string, Row[]>;
}

export function atLeast(what: string, value: number, least: number): Goal {
  return { text: `${what} at least ${least}`, met: value >= least };
}

export function atMost(what: string, value: number, most: number): Goal {
  return { text: `${what} at most ${most}`, met: value <= most };
}

export function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}

export function show(title: string, rows: readonly Row[]): void {
  console.log(`\n${title}`);
  console.table(
    Object.fromEntries(
      rows.map(({ name, values, goals }) => [
        name,
        goals.length === 0
          ? values
          : { ...values, goal: goals.every(({ met }) => met) ? 'met' : `NOT MET: ${unmet(goals)}` },
      ]),
    ),
  );
}

/** All goals in one line: how many there are, and which are missed. */
export function summary(parts: Result['parts']): string {
  const rows = Object.values(parts).flat();
  const goals = rows.flatMap((row) => row.goals);
  const missed = rows.filter((row) => row.goals.some(({ met }) => !met));
  const names = missed.map(({ name, goals: all }) => `\n  ${name}: ${unmet(all)}`);
  return `${goals.filter(({ met }) => met).length} of ${goals.length} goals met${names.join('')}`;
}

function unmet(goals: readonly Goal[]): string {
  return goals
    .filter(({ met }) => !met)
    .map(({ text }) => text)
    .join(', ');
}
