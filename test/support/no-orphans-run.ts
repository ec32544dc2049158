import { chmodSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { findOrphans } from './no-orphans.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds the temporary files of the whole run, in a folder for each test file. */
    temporaryFolder: string;
  }
}

/** Before all test files: a folder for their temporary files. After them: it must be empty, also where a test process died. */
export default function setup(project: TestProject): () => Promise<void> {
  // A short name: the path of a socket may have about a hundred characters.
  const folder = mkdtempSync(path.join(tmpdir(), 't-'));
  // The user that Postgres runs as must reach what it is given.
  chmodSync(folder, 0o711);
  project.provide('temporaryFolder', folder);
  return async () => {
    // A file that cannot be imported does not come to its end, and leaves its empty folder.
    for (const name of readdirSync(folder)) rmdirIfEmpty(path.join(folder, name));
    const orphans = await findOrphans(folder);
    if (orphans.length > 0) throw new Error(`The tests left behind:\n${orphans.join('\n')}`);
    rmdirSync(folder);
  };
}

function rmdirIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
