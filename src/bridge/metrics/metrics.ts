import { collectDefaultMetrics, Registry } from 'prom-client';
import type { HealthReport } from '../../web/health-report.ts';
import type { Activity } from '../activity.ts';
import { addActivityCounters } from './activity-counters.ts';
import { addHealthGauges } from './health-gauges.ts';

/** Of the process itself; they begin with the first question and go on from then. */
let processRegistry: Registry | undefined;

/** Everything that is measured, in the text format of Prometheus. Families are made anew for each question. */
export async function metricsText(report: HealthReport, activity: Activity): Promise<string> {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  const registry = new Registry();
  addHealthGauges(registry, report);
  addActivityCounters(registry, activity);
  const texts = await Promise.all([registry.metrics(), processRegistry.metrics()]);
  return texts.join('\n');
}
