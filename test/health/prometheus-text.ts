/** One sample of the text format of Prometheus. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/gy;

/**
 * Reads the text format (version 0.0.4) strictly: every sample belongs to the family announced last by HELP and TYPE,
 * no family comes twice, no sample comes twice, every value is a number.
 */
export function readPrometheusText(text: string): Sample[] {
  const samples: Sample[] = [];
  const families = new Set<string>();
  const seen = new Set<string>();
  let family = { name: '', type: '' };
  let helped = '';
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, help] = /^# HELP (\S+) \S/.exec(line) ?? [];
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (help !== undefined) helped = help;
    else if (typed !== undefined && type !== undefined) {
      if (typed !== helped || families.has(typed)) throw new Error(`family out of order: ${line}`);
      families.add(typed);
      family = { name: typed, type };
    } else {
      const sample = readSample(line);
      const allowed =
        family.type === 'histogram' || family.type === 'summary'
          ? ['', '_bucket', '_sum', '_count'].map((end) => family.name + end)
          : [family.name];
      if (!allowed.includes(sample.name) || seen.has(line.slice(0, line.lastIndexOf(' '))))
        throw new Error(`sample out of order: ${line}`);
      seen.add(line.slice(0, line.lastIndexOf(' ')));
      samples.push(sample);
    }
  }
  return samples;
}

function readSample(line: string): Sample {
  const [, name = '', labelText = '', number = ''] = SAMPLE.exec(line) ?? [];
  const value = number === '+Inf' ? Infinity : Number(number);
  // What was not measured yet; Prometheus takes it in any spelling.
  const isNumber = !Number.isNaN(value) || /^nan$/i.test(number);
  if (name === '' || !isNumber) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  let end = 0;
  for (const match of labelText.matchAll(LABEL)) {
    labels[match[1] ?? ''] = match[2] ?? '';
    end = match.index + match[0].length;
  }
  if (end !== labelText.length) throw new Error(`broken labels: ${line}`);
  return { name, labels, value };
}

/** The value of the one sample with this name and these labels. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Record<string, string> = {},
): number {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  if (found.length !== 1) throw new Error(`${found.length} samples of ${name} ${JSON.stringify(labels)}`);
  return found[0]!.value;
}
