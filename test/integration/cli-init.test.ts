import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installationRoot } from '../../infra/installation.ts';
import { thaw } from '../support/command-line.ts';

let folder: string;
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'thaw-init-'))));
afterAll(() => rmSync(folder, { recursive: true }));
const place = (name: string) => path.join(folder, name);

test('a start is written without a question where nobody can be asked, and validates', async () => {
  const made = await thaw([
    'init',
    place('mine.jsonc'),
    '--family',
    'foraging',
    '--compare',
    'frozen,pool',
    '--seeds',
    '2',
  ]);
  expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('foraging, 2 variants × 2 seeds') });
  expect(made.stderr).toContain('thaw run');
  expect(readFileSync(place('mine.jsonc'), 'utf8')).toContain('// Never trained on');
  const validated = await thaw(['validate', place('mine.jsonc')]);
  expect(validated).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('2 variants × 2 seeds = 4 runs') });
});

test('a file that is there is left as it is, unless it is told otherwise', async () => {
  writeFileSync(place('mine.json'), 'precious');
  expect(await thaw(['init', place('mine.json')])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--force'),
  });
  expect(readFileSync(place('mine.json'), 'utf8')).toBe('precious');
  expect(await thaw(['init', place('mine.json'), '--force'])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(place('mine.json'), 'utf8')).toContain('"name": "mine"');
});

test('names that are not known are refused with the nearest', async () => {
  const family = await thaw(['init', place('a.json'), '--family', 'foragin']);
  expect(family).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Write "foraging"') });
  const strategy = await thaw(['init', place('a.json'), '--compare', 'frozen,pol']);
  expect(strategy).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Write "pool"') });
});

const ENTER = '\r';
const DOWN = '\x1b[B';
const CTRL_C = '\x03';

/** Calls `thaw init` on a terminal, and types an answer whenever its question has appeared. */
async function answered(
  file: string,
  answers: readonly (readonly [question: string, keys: string])[],
): Promise<number> {
  const main = path.join(installationRoot(), 'dist/cli/main.js');
  const command = `stty cols 100 rows 40; exec '${process.execPath}' '${main}' init '${file}'`;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('script', ['-qefc', command, '/dev/null'], { env: { PATH, HOME, TERM: 'xterm' } });
  let shown = '';
  let next = 0;
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
    const [question, keys] = answers[next] ?? ['\0', ''];
    if (!shown.includes(question)) return;
    next += 1;
    shown = '';
    child.stdin.write(keys);
  });
  const [exitCode] = (await once(child, 'close')) as [number];
  expect(next).toBe(answers.length);
  return exitCode;
}

test('on a terminal it asks, and writes what was answered', async () => {
  const exitCode = await answered(place('asked.jsonc'), [
    ['Which world?', DOWN + ENTER],
    ['strategies', ENTER],
    ['How many seeds', '\x7f7' + ENTER],
    ['How long', DOWN + ENTER],
  ]);
  expect(exitCode).toBe(0);
  const text = readFileSync(place('asked.jsonc'), 'utf8');
  expect(text).toContain('"family": "simple_tag"');
  expect(text).toContain('"count": 7');
  expect(text).toContain('"env_steps": 2000000');
});

test('Ctrl-C while it asks writes nothing', async () => {
  expect(await answered(place('left.jsonc'), [['Which world?', CTRL_C]])).toBe(130);
  expect(() => readFileSync(place('left.jsonc'))).toThrow('ENOENT');
});
