import { Counter, Gauge, Histogram, type HistogramConfiguration, type Registry } from 'prom-client';
import { DURATION_BUCKETS, type Durations } from '../../web/call-counts.ts';

const PREFIX = 'dealer_bridge_';

type Samples = Iterable<readonly [values: readonly string[], value: number]>;

/** A family of gauges with what they show now. */
export function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  samples: Samples,
): void {
  const family = new Gauge({ name: PREFIX + name, help, labelNames, registers: [registry] });
  // Without labels prom-client begins with 0, which is no measurement.
  family.reset();
  if (labelNames.length === 0) family.remove();
  for (const [values, value] of samples) family.set(labelled(labelNames, values), value);
}

/** A family of counters with what they have come to. */
export function counter(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  samples: Samples,
): void {
  const family = new Counter({ name: PREFIX + name, help, labelNames, registers: [registry] });
  for (const [values, value] of samples) family.inc(labelled(labelNames, values), value);
}

/** A family of histograms of durations that were sorted into buckets before. */
export function durationHistogram(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  samples: Iterable<readonly [values: readonly string[], durations: Durations]>,
): void {
  const config = { name: PREFIX + name, help, labelNames, buckets: DURATION_BUCKETS };
  const counted = Array.from(
    samples,
    ([values, durations]) => [labelled(labelNames, values), durations] as const,
  );
  registry.registerMetric(new CountedHistogram(config, counted));
}

type Counted = readonly (readonly [labels: Record<string, string>, durations: Durations])[];

/** prom-client wants to see each observation; here they have been sorted already. */
class CountedHistogram extends Histogram {
  readonly #config: HistogramConfiguration<string>;
  readonly #counted: Counted;

  constructor(config: HistogramConfiguration<string>, counted: Counted) {
    super({ ...config, registers: [] });
    this.#config = config;
    this.#counted = counted;
  }

  /** What the registry asks for. */
  getForPromString() {
    const { name, help } = this.#config;
    const values = this.#counted.flatMap(([labels, durations]) => samplesOf(name, labels, durations));
    return Promise.resolve({ name, help, type: 'histogram', values, aggregator: 'sum' });
  }
}

/** A bucket also counts what is in the smaller ones. */
function samplesOf(name: string, labels: Record<string, string>, { buckets, sumSeconds }: Durations) {
  let total = 0;
  const upTo = [...DURATION_BUCKETS.map(String), '+Inf'].map((le, index) => {
    total += buckets[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
  });
  return [
    ...upTo,
    { metricName: `${name}_sum`, labels, value: sumSeconds },
    { metricName: `${name}_count`, labels, value: total },
  ];
}

function labelled(names: readonly string[], values: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
