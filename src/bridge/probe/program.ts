import { stat } from 'node:fs/promises';
import type { Finding } from '../../model/finding.ts';

/** The oldest Node that runs the program from its sources, as bin/dealer-bridge.mjs has it. */
const WANTED_NODE: readonly [number, number] = [22, 18];

/** The program itself: its Node, and the account that it runs under. */
export async function programFindings(version: string, dataFolder: string): Promise<Finding[]> {
  return [nodeFinding(process.versions.node, version), ...(await accountFindings(dataFolder))];
}

export function nodeFinding(node: string, version: string): Finding {
  const key = 'program';
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = WANTED_NODE;
  const text = `dealer-bridge ${version} on Node ${node} (${process.platform}-${process.arch})`;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) {
    return { key, status: 'ok', text: `${text}.` };
  }
  const remedy = 'Start it by its launcher, which brings the right one along.';
  return { key, status: 'fail', text: `${text}; it needs ${WANTED_NODE.join('.')} or newer.`, remedy };
}

/** What another account may do says nothing of the service. Windows has no such number. */
async function accountFindings(dataFolder: string): Promise<Finding[]> {
  const ours = process.getuid?.();
  if (ours === undefined) return [];
  const owner = await stat(dataFolder).then(
    ({ uid }) => uid,
    () => ours,
  );
  if (owner === ours) return [];
  return [
    {
      key: 'account',
      status: 'warn',
      text: `This looks with the rights of user ${ours}, but the data folder belongs to user ${owner}.`,
      remedy:
        'Check with the account of the service, such as: sudo -u dealer-bridge dealer-bridge check --probe …',
    },
  ];
}
