import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installationRoot } from '../../infra/installation.ts';
import { sharedDataFolder } from '../../infra/services/postgres-data.ts';
import { codeBlocks } from '../support/guide-blocks.ts';
import { thaw } from '../support/command-line.ts';

// Blocks that guides mark as ```sh run``` are run as they stand, in the order of the guide, by the built program. All guides share
// one home, so that its services start once.

const GUIDES = 'docs/guides';

const run = promisify(execFile);
const guides = readdirSync(GUIDES)
  .map((file) => ({ file, blocks: codeBlocks(path.join(GUIDES, file)).filter(({ note }) => note === 'run') }))
  .filter(({ blocks }) => blocks.length > 0);

let folder: string;
let env: Record<string, string>;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-guides-'));
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
  // `npx thaw` is what it is in a clone: the program as it is built.
  const main = path.join(installationRoot(), 'dist/cli/main.js');
  writeFileSync(
    path.join(bin, 'npx'),
    `#!/bin/sh\n[ "$1" = thaw ] || exit 9\nshift\nexec '${process.execPath}' '${main}' "$@"\n`,
  );
  chmodSync(path.join(bin, 'npx'), 0o755);
  env = { PATH: `${bin}:${PATH}`, HOME, TMPDIR, THAW_HOME: path.join(folder, 'home') };
});
afterAll(async () => {
  const home = path.join(folder, 'home');
  await thaw(['down'], { THAW_HOME: home });
  rmSync(await sharedDataFolder(home), { recursive: true, force: true });
  rmSync(folder, { recursive: true });
});

it('there are guides whose commands are run, a first experiment among them', () => {
  expect(guides.map(({ file }) => file)).toContain('first-experiment.md');
  expect(guides.length).toBeGreaterThanOrEqual(4);
  for (const { blocks } of guides) for (const { language } of blocks) expect(language).toBe('sh');
});

describe.each(guides)('$file', ({ file, blocks }) => {
  it('runs as it stands', async () => {
    const cwd = path.join(folder, path.basename(file, '.md'));
    mkdirSync(cwd);
    symlinkSync(path.join(installationRoot(), 'experiments'), path.join(cwd, 'experiments'));
    for (const { text, line } of blocks) {
      const outcome = await run('sh', ['-e', '-c', text], { cwd, env, timeout: 200_000 }).catch(
        (error: unknown) => error,
      );
      expect([`${file}:${line}`, (outcome as { stderr: string; code?: number }).code ?? 0, outcome]).toEqual([
        `${file}:${line}`,
        0,
        expect.objectContaining({ stdout: expect.any(String) }),
      ]);
    }
  }, 240_000);
});
