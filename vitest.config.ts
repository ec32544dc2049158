import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**', 'dist/**'],
    allowOnly: false,
    passWithNoTests: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // After every test file nothing may be left of what its tests made.
    globalSetup: ['test/support/no-orphans-run.ts'],
    setupFiles: ['test/support/no-orphans-file.ts'],
    maxWorkers: 2,
  },
});
