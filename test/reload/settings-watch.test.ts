import { expect, it, onTestFinished } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { restartProblems } from '../../src/bridge/reload/restart-only.ts';
import { watchSettings } from '../../src/bridge/reload/settings-watch.ts';
import { describeProblem, failure, success } from '../../src/model/problem.ts';
import { openDealership } from '../agent/dealership.ts';

/** Files that are a text; `look` steps by hand. The text `broken` is refused. */
function watchText() {
  const files = { text: 'first', onLoad: () => undefined as unknown };
  const told: string[] = [];
  const watch = watchSettings(
    {
      look: () => Promise.resolve({ all: files.text, profiles: '' }),
      asLoaded: { all: 'first', profiles: '' },
      load: () => {
        const { text } = files;
        files.onLoad();
        return Promise.resolve(
          text === 'broken'
            ? failure({ code: 'X', message: 'broken' })
            : success({ file: text } as unknown as Config),
        );
      },
      onSound: ({ file }) => {
        told.push(file);
        return Promise.resolve();
      },
      onUnsound: (problems) => told.push(`refused: ${problems.map(({ message }) => message).join()}`),
      onFault: (fault) => told.push(String(fault)),
    },
    3_600_000,
  );
  onTestFinished(() => watch.stop());
  return { files, told, look: () => watch.look() };
}

it('a change counts once it rests: nothing of a text that is half written', async () => {
  const { files, told, look } = watchText();
  await look();
  for (const half of ['s', 'sec', 'secon', 'second']) {
    files.text = half;
    await look();
  }
  expect(told).toEqual([]);
  await look();
  await look();
  expect(told).toEqual(['second']);
});

it('of quick changes the last counts, also of one that comes while the one before is read', async () => {
  const { files, told, look } = watchText();
  files.text = 'second';
  await look();
  files.onLoad = () => (files.text = 'third');
  await look();
  files.onLoad = () => undefined;
  expect(told).toEqual([]);
  await look();
  expect(told).toEqual(['third']);
});

it('what is refused is told once; taken back it is judged again', async () => {
  const { files, told, look } = watchText();
  files.text = 'broken';
  for (let looks = 0; looks < 4; looks += 1) await look();
  expect(told).toEqual(['refused: broken']);
  files.text = 'first';
  await look();
  await look();
  expect(told).toEqual(['refused: broken', 'first']);
});

it('another port needs a restart and says so with its name; the public address does not', () => {
  const { config } = openDealership();
  const { server } = config;
  const moved = {
    ...config,
    server: { ...server, port: 9999, limits: { ...server.limits, max_headers: 7 } },
  };
  expect(restartProblems(config, moved).map(describeProblem)).toEqual([
    'bridge.yaml server.port: cannot change while the bridge runs. Restart the bridge; until then nothing of this change is in use.',
    'bridge.yaml server.limits: cannot change while the bridge runs. Restart the bridge; until then nothing of this change is in use.',
  ]);
  expect(
    restartProblems(config, { ...config, server: { ...server, public_url: 'https://a.example' } }),
  ).toEqual([]);
});
