import { defineConfig } from 'vitest/config';

/**
 * Folders whose tests leave nothing behind in their process, so that files of them may share one. Those of `cli` do: a
 * program adds families to the registries before it reads a spec.
 */
const SHARING = ['schemas', 'simulators', 'learning', 'specification', 'workflows', 'web', 'test/architecture'];
const sharing = SHARING.map((folder) => `${folder}/**/*.test.ts`);
const elsewhere = ['node_modules/**', 'dist/**'];

/** What holds for the slow tests, too. */
export const everywhere = {
  allowOnly: false,
  passWithNoTests: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  pool: 'forks' as const,
  // After every test file nothing may be left of what its tests made.
  globalSetup: ['test/support/no-orphans-run.ts'],
  setupFiles: ['test/support/no-orphans-file.ts'],
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    ...everywhere,
    projects: [
      // Loading the same modules again for each of 240 small files takes longer than their tests.
      { extends: true, test: { name: 'sharing', include: sharing, exclude: elsewhere, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['**/*.test.ts'], exclude: [...elsewhere, ...sharing] } },
    ],
  },
});
