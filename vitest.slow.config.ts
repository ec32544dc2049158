import { defineConfig } from 'vitest/config';
import { everywhere } from './vitest.config.ts';

/** What installs gigabytes, and is not in the gate: `npm run check:slow`. */
export default defineConfig({ test: { ...everywhere, include: ['test/slow/**/*.slow.ts'] } });
