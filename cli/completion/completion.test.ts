import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createProgram } from '../program.ts';
import { completionScript } from './print-completion.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-completion-'));
  writeFileSync(path.join(folder, 'my first.json'), '{}');
  writeFileSync(path.join(folder, 'my-second.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

const shells = ['bash', 'zsh', 'fish'].filter((shell) => {
  try {
    execFileSync('which', [shell]);
    return true;
  } catch {
    return false;
  }
});

/** Asks bash itself, with its function called as a key press would. */
function askBash(line: string): string[] {
  // As bash cuts lines: at spaces, and at `=`.
  const words = line.split(/ |(?==)|(?<==)/);
  const script = [
    'set -u',
    // The program that ids are asked from.
    'thaw() { :; }',
    completionScript('bash', createProgram()),
    'compopt() { :; }',
    'timeout() { [[ "$*" == "3 thaw completion ids" ]] && printf "@latest\\ndemo-1a2b\\nmine-3c4d\\n"; }',
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`,
    '_thaw; printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const told = execFileSync('bash', ['--norc', '-c', script], { cwd: folder, encoding: 'utf8' });
  return told.split('\n').filter((each) => each !== '');
}

const FISH = 'fish';

/** Asks fish itself. */
function askFish(line: string): string[] {
  writeFileSync(path.join(folder, 'thaw.fish'), completionScript('fish', createProgram()));
  const command = `function timeout; printf "@latest\\ndemo-1a2b\\nmine-3c4d\\n"; end; source thaw.fish; complete -C ${JSON.stringify(line)}`;
  const told = execFileSync(FISH, ['--no-config', '-c', command], { cwd: folder, encoding: 'utf8' });
  return told
    .split('\n')
    .filter((each) => each !== '')
    .map((each) => each.split('\t')[0]!);
}

/** What is typed, what must be offered, and what must not. */
const LINES: readonly [line: string, offered: readonly string[], never: readonly string[]][] = [
  ['thaw re', ['results', 'resume', 'restore', 'retry'], ['run', 'supervisor']],
  ['thaw results --me', ['--metric'], ['--set']],
  ['thaw plan -o ', ['table', 'json'], ['csv', '--set']],
  ['thaw plan --output ', ['table', 'json'], ['csv']],
  ['thaw init --family fo', ['foraging'], ['simple_tag']],
  ['thaw run my', ['my first.json', 'my-second.json'], ['demo-1a2b']],
  ['thaw results ', ['@latest', 'demo-1a2b', 'mine-3c4d'], ['my-second.json']],
  ['thaw results de', ['demo-1a2b'], ['mine-3c4d']],
  ['thaw simulators ', ['returns', 'distance', 'demo-1a2b'], ['run']],
  ['thaw simulators returns -', ['--set'], ['--candidates']],
  ['thaw explain strategy.po', ['strategy.pool', 'strategy.population'], ['budget']],
  ['thaw completion ', ['bash', 'zsh', 'fish'], ['run']],
  ['thaw help ru', ['run'], ['results']],
];

describe.each(shells.filter((shell) => shell !== 'zsh'))('%s', (shell) => {
  it.each(LINES)('completes "%s"', (line, offered, never) => {
    const told = shell === 'bash' ? askBash(line) : askFish(line);
    expect(offered.filter((each) => !told.includes(each))).toEqual([]);
    expect(never.filter((each) => told.includes(each))).toEqual([]);
  });
});

test('bash completes a choice after an equals sign', () => {
  expect(shells).toContain('bash');
  expect(askBash('thaw plan --output=j')).toEqual(['json']);
  expect(askBash('thaw plan --output=')).toEqual(['table', 'json']);
});

test.each(shells)('%s reads its script without a complaint', (shell) => {
  const file = path.join(folder, `script.${shell}`);
  writeFileSync(file, completionScript(shell, createProgram()));
  expect(execFileSync(shell, ['-n', file], { encoding: 'utf8' })).toBe('');
});

test.each(['bash', 'zsh', 'fish'])('the script for %s says how to install it, and knows every verb', (shell) => {
  const script = completionScript(shell, createProgram());
  expect(script).toContain(`thaw completion ${shell} > `);
  for (const command of createProgram().commands) {
    expect([command.name(), script.includes(command.name())]).toEqual([
      command.name(),
      command.name() !== 'supervisor',
    ]);
  }
});
