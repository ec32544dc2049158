import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, inject } from 'vitest';
import { findOrphans } from './no-orphans.ts';

// Before every test file: it gets a folder for temporary files of its own, which all processes it starts inherit.
const folder = mkdtempSync(path.join(inject('temporaryFolder'), path.sep));
chmodSync(folder, 0o711);
process.env['TMPDIR'] = folder;

// Hooks run in the reverse order of their registration, so this one runs after those of the file.
afterAll(async () => {
  expect(await findOrphans(folder), 'processes and files that the tests of this file left behind').toEqual([]);
  rmdirSync(folder);
}, 30_000);
