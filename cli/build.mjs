/**
 * Builds the programs as ES modules with packages left outside, the workflow bundle for Temporal's sandbox, and the page with
 * all it needs, into `dist/builds/HASH`; `dist/cli` and `dist/workflows` lead to the newest build (see setup/builds.mjs). Sources that were built
 * before are not built again.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildPlaces, pointTo, sourceHash } from './setup/builds.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const name = sourceHash(root);
const target = path.join(buildPlaces(root).builds, name);

if (!existsSync(target)) {
  const partial = path.join(buildPlaces(root).dist, `partial-${randomUUID()}`);
  try {
    await buildPrograms(partial);
    await buildWorkflows(partial);
    await buildPage(partial);
    await mkdir(path.dirname(target), { recursive: true });
    await rename(partial, target).catch((error) => {
      if (!existsSync(target)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
await pointTo(root, name);

/** @param {string} outdir */
async function buildPrograms(outdir) {
  await build({
    absWorkingDir: root,
    entryPoints: ['cli/main.ts', 'cli/training-child.ts', 'cli/sampler-thread.ts', 'cli/generate.ts'].filter((file) =>
      existsSync(path.join(root, file)),
    ),
    outdir,
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
}

/** @param {string} outdir */
async function buildWorkflows(outdir) {
  if (!existsSync(path.join(root, 'workflows/index.ts'))) return;
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const quiet = { log() {}, trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error };
  const { code } = await bundleWorkflowCode({ workflowsPath: path.join(root, 'workflows/index.ts'), logger: quiet });
  await mkdir(path.join(outdir, 'workflows'), { recursive: true });
  await writeFile(path.join(outdir, 'workflows/bundle.js'), code);
}

/**
 * The page loads nothing from elsewhere: its packages are in its bundle.
 *
 * @param {string} outdir
 */
async function buildPage(outdir) {
  if (!existsSync(path.join(root, 'web/page/page.tsx'))) return;
  await build({
    absWorkingDir: root,
    entryPoints: ['web/page/page.tsx', 'web/page/page.css'],
    outdir: path.join(outdir, 'page'),
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: true,
    logLevel: 'warning',
  });
  await cp(path.join(root, 'web/page/index.html'), path.join(outdir, 'page/index.html'));
}
