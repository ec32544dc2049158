import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installationRoot } from '../infra/installation.ts';

const EXIT_CODE = 4;
const MAIN = `import './later.ts';
console.log(JSON.stringify({ args: process.argv.slice(2), main: process.argv[1] }));
process.exitCode = ${EXIT_CODE};
`;
/** Stands in for npm: counts its runs, and installs what a build needs as links to our own packages. */
const NPM = `#!/bin/sh
echo "$1" >> npm-runs
PACKAGE=dist/gpu/node_modules/@tensorflow/tfjs-node-gpu
case $1 in
  install) mkdir -p $PACKAGE; exit;;
  rebuild) mkdir -p $PACKAGE/lib/napi-v8; touch $PACKAGE/lib/napi-v8/tfjs_binding.node; exit;;
esac
if [ -f npm-fails ]; then cat npm-fails >&2; exit 1; fi
mkdir -p node_modules
ln -s "$OURS/esbuild" "$OURS/@esbuild" node_modules/
cp package-lock.json node_modules/.package-lock.json
`;

let root: string;
let elsewhere: string;
let bin: string;

beforeEach(async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'thaw-launch-')));
  [root, elsewhere, bin] = ['installation', 'elsewhere', 'bin'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [path.join(root, 'cli'), elsewhere, bin]) await mkdir(made, { recursive: true });
  const ours = path.join(installationRoot(), 'cli');
  for (const name of ['launch.mjs', 'build.mjs', 'setup']) {
    await cp(path.join(ours, name), path.join(root, 'cli', name), { recursive: true });
  }
  await writeFile(
    path.join(root, 'package.json'),
    JSON.stringify({ name: 'thaw', type: 'module', engines: { node: '>=20.11' } }),
  );
  await writeLock('1.0.0');
  await writeFile(path.join(root, 'cli/main.ts'), MAIN);
  await writeFile(path.join(root, 'cli/later.ts'), 'export const answer = 1;\n');
  await writeFile(path.join(bin, 'npm'), NPM);
  await chmod(path.join(bin, 'npm'), 0o755);
});
afterEach(() => rm(path.dirname(root), { recursive: true }));

async function writeLock(version: string): Promise<void> {
  const packages = { '': {}, 'node_modules/x': { version }, 'node_modules/y': { version, optional: true } };
  await writeFile(path.join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

interface Ending {
  code: number;
  stdout: string;
  stderr: string;
}

/** Starts the program from another folder, as a user would. */
function launch(...args: string[]): Promise<Ending> {
  const env = { PATH: `${bin}:${process.env.PATH}`, OURS: path.join(installationRoot(), 'node_modules') };
  return new Promise((resolve) => {
    const command = [path.join(root, 'cli/launch.mjs'), ...args];
    execFile(process.execPath, command, { cwd: elsewhere, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

async function countOf(file: string): Promise<number> {
  return existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n').length : 0;
}

const npmRuns = () => countOf(path.join(root, 'npm-runs'));
const builds = () => readdir(path.join(root, 'dist/builds'));

describe('the launcher', () => {
  it('installs, builds and becomes the program, from any folder; the second time it just runs', async () => {
    const args = ['run', 'a b.json', '--setup'];
    const first = await launch(...args);
    expect(first).toMatchObject({
      code: EXIT_CODE,
      stderr: expect.stringMatching(/Installing packages.*\n.*Building/),
    });
    const [name] = await builds();
    const main = path.join(root, 'dist/builds', name!, 'cli/main.js');
    expect(JSON.parse(first.stdout)).toEqual({ args, main });
    expect(await realpath(path.join(root, 'dist/cli/main.js'))).toBe(main);

    const second = await launch(...args);
    expect(second).toEqual({ code: EXIT_CODE, stdout: first.stdout, stderr: '' });
    expect(await npmRuns()).toBe(1);
  });

  it('only prepares with --setup', async () => {
    expect(await launch('--setup')).toMatchObject({ code: 0, stdout: '' });
    expect(await builds()).toHaveLength(1);
  });

  it('installs what a GPU needs when asked for it, once, and beside the packages of the lock', async () => {
    const description = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as object;
    const peerDependencies = { '@tensorflow/tfjs-node-gpu': '4.22.0' };
    await writeFile(path.join(root, 'package.json'), JSON.stringify({ ...description, peerDependencies }));
    const { code, stderr } = await launch('--setup', 'gpu');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('tfjs-node-gpu@4.22.0') });
    expect(await readFile(path.join(root, 'npm-runs'), 'utf8')).toBe('ci\ninstall\nrebuild\n');
    expect(await launch('--setup', 'gpu')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await npmRuns()).toBe(3);
  });

  it('prepares once when started several times at once', async () => {
    const endings = await Promise.all([launch(), launch(), launch()]);
    expect(endings.map(({ code }) => code)).toEqual([EXIT_CODE, EXIT_CODE, EXIT_CODE]);
    expect(await npmRuns()).toBe(1);
    expect(await builds()).toHaveLength(1);
    expect(existsSync(path.join(root, 'dist/setup.lock'))).toBe(false);
  });

  it('builds anew when a source changes, and leaves the old build to those who run it', async () => {
    await launch('--setup');
    await writeFile(path.join(root, 'cli/later.ts'), 'export const answer = 2;\nconsole.log(answer);\n');
    const changed = await launch();
    expect(changed.stdout).toMatch(/^2\n/);
    expect(changed.stderr).toMatch(/Building/);
    expect(await builds()).toHaveLength(2);
    await writeFile(path.join(root, 'cli/later.test.ts'), 'a test is no part of a build');
    expect((await launch()).stderr).toBe('');
  });

  it('installs anew when the lock names another version, and not for an optional package', async () => {
    await launch('--setup');
    const list = path.join(root, 'node_modules/.package-lock.json');
    const { packages } = JSON.parse(await readFile(list, 'utf8'));
    delete packages['node_modules/y'];
    await writeFile(list, JSON.stringify({ packages }));
    await launch('--setup');
    expect(await npmRuns()).toBe(1);
    await writeLock('2.0.0');
    await rename(path.join(root, 'node_modules'), path.join(root, 'moved'));
    await launch('--setup');
    expect(await npmRuns()).toBe(2);
  });

  it('takes over the lock of a process that was killed', async () => {
    const lock = path.join(root, 'dist/setup.lock');
    await mkdir(lock, { recursive: true });
    const long = new Date(Date.now() - 3_600_000);
    await utimes(lock, long, long);
    expect((await launch('--setup')).code).toBe(0);
  });

  it.each([
    ['npm error code ENOTFOUND', /registry cannot be reached.*\n.*Check the network/],
    ['npm error code ENOSPC', /disk is full.*\n.*Free/],
    ['npm error code EACCES', /not writable.*\n.*--setup/],
    ['npm error whatever', /See its output above/],
  ])('says what failed, why and what to do: %s', async (output, remedy) => {
    await writeFile(path.join(root, 'npm-fails'), output);
    const ending = await launch('run');
    expect(ending).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(output) });
    expect(ending.stderr).toMatch(remedy);
  });

  it('says where the build failed', async () => {
    await writeFile(path.join(root, 'cli/later.ts'), 'export const = 1;');
    const ending = await launch('run');
    expect(ending).toMatchObject({ code: 3, stdout: '' });
    expect(ending.stderr).toMatch(/cli\/later\.ts:1:13/);
  });

  it('refuses a Node that is too old', async () => {
    const tooNew = { name: 'thaw', type: 'module', engines: { node: '>=99.1' } };
    await writeFile(path.join(root, 'package.json'), JSON.stringify(tooNew));
    const ending = await launch('run');
    expect(ending).toMatchObject({ code: 3, stdout: '' });
    expect(ending.stderr).toMatch(/too old; Thaw needs >=99\.1/);
    expect(await npmRuns()).toBe(0);
  });
});
