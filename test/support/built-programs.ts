import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { installationRoot } from '../../infra/installation.ts';

/**
 * Programs as files that Node can run, bundled as the real ones are, while the tests of a file run. They lie side by side.
 * @returns their paths
 */
export function useBuiltPrograms(sources: readonly URL[]): string[] {
  const folder = path.join(installationRoot(), 'node_modules/.cache/thaw-test-programs', randomUUID());
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    await build({
      entryPoints: sources.map((source) => fileURLToPath(source)),
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
    });
    // Its process would live as long as ours.
    await stop();
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return sources.map((source) => path.join(folder, path.basename(source.pathname, '.ts') + '.js'));
}
