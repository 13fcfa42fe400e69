import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import { runCommand } from '../cli/run-command.ts';
import { closedPort } from '../leads/crm-servers.ts';

export interface Written {
  feeds?: string;
  destinations?: string;
  more?: string;
}

/** A small dealership in a folder of its own, on ports that are free, and the command on it. */
export async function dealership({ feeds = '[]', destinations = FILE, more = '' }: Written = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'bridge.yaml');
  const data = join(folder, 'data');
  const [port, adminPort] = [await closedPort(), await closedPort()];
  writeFileSync(
    config,
    `dealer:
  id: one-store
  name: One Store Motors
  rooftops:
    - { id: ONE, name: One Store Motors, timezone: America/New_York, phones: [{ value: '+12075550110' }] }
server: { port: ${port}, admin_port: ${adminPort} }
feeds: ${feeds}
leads:
  default_rooftop: ONE
  destinations: ${destinations}
${more}`,
  );
  const words = ['--config', config, '--data', data];
  const probe = async (...options: string[]): Promise<Probed> => {
    const { code, out, err } = await runCommand(['check', '--probe', '--json', ...words, ...options]);
    const report = JSON.parse(out) as { status: string; checks: Finding[] };
    const byKey = (key: string) => report.checks.filter((finding) => finding.key === key);
    return { code, err, out, ...report, byKey };
  };
  return { folder, config, data, port, adminPort, words, probe };
}

interface Probed {
  code: number;
  err: string;
  out: string;
  status: string;
  checks: Finding[];
  byKey: (key: string) => Finding[];
}

const FILE = '[{ id: crm, adapter: adf-file, options: { folder: outgoing } }]';

/** So that only what a test is about is found: somebody is told, and the machine of the tests has room enough. */
export function alertsTo(webhook: string): string {
  return `alerts: { disk_free_mb: 10, webhook: { url: "${webhook}" } }\n`;
}
