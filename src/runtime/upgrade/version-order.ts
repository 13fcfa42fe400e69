/** As in semver.org, without build metadata: what may name a version's folder. */
const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;

export function isVersion(text: string): boolean {
  return text.length <= 64 && VERSION.test(text);
}

/** Negative: the first is older. By the precedence of semver: 1.0.0-rc.2 < 1.0.0-rc.10 < 1.0.0 < 1.0.1. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return compareLabels(left.labels, right.labels);
}

function partsOf(version: string): { numbers: number[]; labels: string[] } {
  const [, major = '0', minor = '0', patch = '0', labels] = VERSION.exec(version) ?? [];
  return { numbers: [major, minor, patch].map(Number), labels: labels?.split('.') ?? [] };
}

function compareLabels(left: readonly string[], right: readonly string[]): number {
  // Something that is no release yet comes before its release.
  if (left.length === 0 || right.length === 0) return right.length - left.length;
  for (const [index, label] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = compareLabel(label, other);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareLabel(label: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(label), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return Number(label) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  if (label === other) return 0;
  return label < other ? -1 : 1;
}
