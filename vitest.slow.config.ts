import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** What installs gigabytes, and is not in the gate: `npm run check:slow`. */
export default defineConfig({ test: { ...usual.test, include: ['test/slow/**/*.slow.ts'] } });
