import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/..`,
    include: ['test/**/*.test.ts'],
    // Real processes, sockets and disks on a small machine: a hang is told apart from slowness only by a wide bound.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Many tests wait for other processes and sockets; by default one core would stay idle.
    maxWorkers: 3,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'adapters/**/*.ts'],
      reporter: ['text-summary'],
      reportsDirectory: `${import.meta.dirname}/../coverage`,
    },
  },
});
