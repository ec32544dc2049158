import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thaw } from '../support/command-line.ts';
import { elementsBelow, parseXml } from '../support/parse-xml.ts';
import { specDocument } from '../support/spec-document.ts';

let folder: string;
let home: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-requests-'));
  home = path.join(folder, 'home');
});
afterAll(() => rmSync(folder, { recursive: true }));

function writeText(name: string, content: string): string {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, content);
  return file;
}

const writeSpec = (name: string, change: object): string =>
  writeText(name, JSON.stringify({ ...specDocument(), ...change }));

/** What is wrong, how a file with it is made, and what must be said of it. */
const MALFORMED: readonly (readonly [what: string, make: () => string, said: readonly string[]])[] = [
  ['an unknown key', () => writeSpec('unknown-key', { simulatrs: {} }), ['simulatrs', 'did you mean "simulators"']],
  ['a wrong type', () => writeSpec('wrong-type', { learners: 'all' }), ['learners', '"all"']],
  [
    'an unknown simulator',
    () => writeSpec('unknown-simulator', { panels: { train: ['zer', 'left'], validation: ['top'], test: ['far'] } }),
    ['panels.train[0]', 'zer', 'did you mean "zero"'],
  ],
  [
    'overlapping panels',
    () => writeSpec('overlap', { panels: { train: ['zero', 'left'], validation: ['top'], test: ['zero'] } }),
    ['panels.test[0]', 'zero'],
  ],
  ['a seed repeated', () => writeSpec('seeds', { seeds: [1, 2, 1] }), ['seeds']],
  [
    'a number as a string',
    () => writeSpec('string', { budget: { env_steps: '100000', rounds: 5 } }),
    ['budget.env_steps', '"100000"'],
  ],
  ['no variants', () => writeSpec('no-variants', { variants: {} }), ['variants']],
  ['a huge count', () => writeSpec('huge', { seeds: { first: 0, count: 1e9 } }), ['seeds', '1000000000']],
  ['no JSON', () => writeText('no-json', '{\n  "name": "x",,\n}'), ['line 2, column 15']],
  ['a file that does not exist', () => path.join(folder, 'missing.json'), ['no such file']],
];

describe('a malformed experiment', () => {
  it.each(MALFORMED)('with %s is refused with exit code 2, and nothing is started', async (_what, make, said) => {
    const file = make();
    for (const verb of ['validate', 'submit']) {
      const { exitCode, stderr } = await thaw([verb, file], { THAW_HOME: home });
      expect(exitCode, verb).toBe(2);
      for (const words of [path.basename(file), 'remedy', ...said]) expect(stderr, verb).toContain(words);
    }
    expect(existsSync(home)).toBe(false);
  });

  it('tells everything that is wrong with all files at once', async () => {
    const first = writeSpec('two-errors', { simulatrs: {}, budget: { env_steps: 'many', rounds: 0 } });
    const second = writeSpec('one-error', { seeds: [1, 1] });
    const { stderr } = await thaw(['submit', first, second], { THAW_HOME: home });
    for (const words of ['simulatrs', 'budget.env_steps', 'budget.rounds', 'two-errors.json: 3 problems']) {
      expect(stderr).toContain(words);
    }
    expect(stderr).toContain('one-error.json: 1 problem');
    expect(existsSync(home)).toBe(false);
  });
});

describe('an experiment for a device that is not here', () => {
  it('is valid with a warning, and refused at the start with what to do', async () => {
    const file = writeSpec('cuda', { execution: { device: 'cuda' } });
    const validated = await thaw(['validate', file], { THAW_HOME: home });
    expect(validated).toMatchObject({ exitCode: 0 });
    expect(validated.stderr).toContain('REQUEST_DEVICE_MISSING');
    const planned = await thaw(['plan', file], { THAW_HOME: home });
    expect(planned).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('env steps') as string });
    expect(planned.stderr).toContain('REQUEST_DEVICE_MISSING');
    const submitted = await thaw(['submit', file], { THAW_HOME: home });
    expect(submitted.exitCode).toBe(2);
    expect(submitted.stderr).toContain('--set execution.device=cpu');
    expect(existsSync(home)).toBe(false);
  });
});

describe('the command line', () => {
  it('refuses what it does not know with exit code 2 and the nearest', async () => {
    expect(await thaw(['valdate'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('validate') as string,
    });
    const option = await thaw(['validate', '--prnt', 'x']);
    expect(option).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--print') as string });
    const variable = await thaw(['status'], { THAW_HOEM: home });
    expect(variable).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('THAW_HOME') as string });
  });

  it('lists at least one experiment', async () => {
    const none = await thaw(['list', '--limit', '0'], { THAW_HOME: home });
    expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('at least 1') as string });
    expect(existsSync(home)).toBe(false);
  });

  it('reports an external database that does not exist as a failure of the world, not as ours', async () => {
    const { exitCode, stderr } = await thaw(['list'], {
      THAW_DATABASE_URL: 'postgres://x@127.0.0.1:1/x',
      THAW_HOME: home,
    });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('remedy');
  });

  it('has colours only on a terminal, and help for every verb', async () => {
    const { stdout, exitCode } = await thaw(['help', 'rollout']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('$ thaw rollout');
    expect((await thaw(['simulators'], { FORCE_COLOR: '' })).stdout).not.toContain('\u001b');
  });

  it('prints the resolved experiment alone on standard output', async () => {
    const file = writeSpec('printed', {});
    const { stdout } = await thaw(['validate', '--print', file, '--set', 'budget.rounds=7']);
    const printed = JSON.parse(stdout) as { variants: { pool: { budget: unknown } } };
    expect(printed.variants.pool.budget).toMatchObject({ rounds: 7 });
  });
});

describe('rollout', () => {
  const start = {
    agents: [
      [0, 0],
      [0.5, 0.5],
    ],
    landmarks: [
      [1, 1],
      [0, 1],
    ],
  };
  const actions = [
    [1, 2],
    [0, 0],
    [3, 4],
  ];

  it('prints the start and every step as a line of JSON, by seat, and the same again', async () => {
    const files = [writeText('start', JSON.stringify(start)), writeText('actions', JSON.stringify(actions))];
    const options = '{"agents":2}';
    const command = ['rollout', '--family', 'simple_spread', '--simulator', 'base', '--options', options];
    const args = [...command, '--start', files[0]!, '--actions', files[1]!, '-o', 'json'];
    const { stdout, exitCode } = await thaw(args);
    expect(exitCode).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ step }) => step)).toEqual([0, 1, 2, 3]);
    expect(lines[0]).toMatchObject({ rewards: null, ended: false, truncated: false, state: { ...start } });
    for (const { observations } of lines) expect(observations).toHaveLength(start.agents.length);
    for (const { rewards } of lines.slice(1)) expect(rewards).toHaveLength(start.agents.length);
    expect((await thaw(args)).stdout).toBe(stdout);
  });

  it('refuses actions that no seat has, and names what may have been meant', async () => {
    const bad = writeText('bad-actions', '[[1, 9]]');
    const refused = await thaw(['rollout', '--simulator', 'base', '--options', '{"agents":2}', '--actions', bad]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('[0][1]') as string });
    const unknown = await thaw(['rollout', '--simulator', 'bse', '--actions', bad]);
    expect(unknown.stderr).toContain('Did you mean base?');
  });

  it('renders an episode instead of its lines, or beside them', async () => {
    const picture = path.join(folder, 'episode.svg');
    const args = ['rollout', '--simulator', 'partner_left', '--random', '--seed', '4', '--render', picture];
    const alone = await thaw(args);
    expect(alone).toMatchObject({ exitCode: 0, stdout: '' });
    const svg = readFileSync(picture, 'utf8');
    const lines = (await thaw([...args, '-o', 'json'])).stdout.trim().split('\n');
    const frames = elementsBelow(parseXml(svg.trim())).filter(({ attributes }) => attributes['class'] === 'frame');
    expect(frames).toHaveLength(lines.length);
    expect(svg).toContain('scripted: leftmost_landmark');
    expect(readFileSync(picture, 'utf8')).toBe(svg);
    const nowhere = await thaw([...args.slice(0, -1), path.join(folder, 'missing', 'episode.svg')]);
    expect(nowhere).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('cannot be written') as string });
  });

  it('refuses policy partners, whose seats it would let somebody else play', async () => {
    const file = path.join(folder, 'policy-partner.json');
    writeFileSync(file, JSON.stringify({ partners: { 1: { kind: 'policy', artifact: 'ab'.repeat(32) } } }));
    const { exitCode, stderr } = await thaw(['rollout', '--simulator', file, '--random']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('seat 1');
  });

  it('needs no actions where scripted partners hold every seat, and exactly one source of them elsewhere', async () => {
    const scripted = { kind: 'scripted', name: 'nearest_landmark' };
    const simulator = writeText(
      'all-scripted',
      JSON.stringify({ partners: { 0: scripted, 1: scripted, 2: scripted } }),
    );
    const whole = await thaw(['rollout', '--simulator', simulator]);
    expect(whole.stdout.trim().split('\n')).toHaveLength(26);
    const refused = await thaw(['rollout', '--simulator', 'partner_left']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('0, 2') as string });
    const file = writeText('two-sources', '[]');
    expect((await thaw(['rollout', '--simulator', 'base', '--actions', file, '--random'])).exitCode).toBe(2);
  });

  it('leaves no file behind', () => {
    expect(readdirSync(folder)).not.toContain('home');
  });
});
