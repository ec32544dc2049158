/** Builds `dist/`: the programs as ES modules with packages left outside, and the workflow bundle for Temporal's sandbox. */
import { build } from 'esbuild';
import { mkdir, writeFile, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

await rm(path.join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['cli/main.ts', 'cli/training-child.ts', 'cli/generate.ts'].filter((file) =>
    existsSync(path.join(root, file)),
  ),
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});

if (existsSync(path.join(root, 'workflows/index.ts'))) {
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const quiet = { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({ workflowsPath: path.join(root, 'workflows/index.ts'), logger: quiet });
  await mkdir(path.join(root, 'dist/workflows'), { recursive: true });
  await writeFile(path.join(root, 'dist/workflows/bundle.js'), code);
}
