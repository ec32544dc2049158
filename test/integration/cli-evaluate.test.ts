import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../cli/errors/exit-codes.ts';
import { thaw } from '../support/command-line.ts';
import { type HomeOfTests, startHomeOfTests } from '../support/home-of-tests.ts';

const PANEL = 'experiments/panels/spread.json';
const POLICIES = 'test/golden/policies';
/** So few that no number means anything. */
const FEW = ['--episodes', '6'];

/** As few simulators as a verdict needs. */
const SMALL = { family: 'simple_spread', panels: { train: ['base'], test: ['heavy'] } };

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'thaw-evaluate-'))));
afterAll(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;

interface Document {
  readonly scores: Row;
  readonly ci95: Readonly<Record<string, readonly [number, number]>>;
  readonly simulators: readonly Row[];
  readonly sensitivity: readonly Row[];
  readonly policies: readonly Row[];
  readonly panel: Row;
}

async function evaluated(...args: string[]): Promise<Document> {
  const { exitCode, stdout, stderr } = await thaw(['evaluate', ...args, '-o', 'json']);
  expect([exitCode, stderr]).toEqual([EXIT.done, '']);
  return JSON.parse(stdout) as Document;
}

function panelFile(name: string, document: object): string {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

describe('policies that other programs wrote', () => {
  const { panels } = JSON.parse(readFileSync(PANEL, 'utf8')) as { panels: Record<string, string[]> };

  it.each([
    { file: 'torch-mlp', gives: 'distribution', memory: 0, options: [] },
    { file: 'torch-unnamed', gives: 'distribution', memory: 0, options: [] },
    { file: 'torch-gru', gives: 'distribution', memory: 6, options: [] },
    { file: 'torch-lstm', gives: 'distribution', memory: 24, options: ['--state', 'h0=h1', '--state', 'c0=c1'] },
    { file: 'torch-masked', gives: 'action', memory: 0, options: [] },
    { file: 'sb3-discrete', gives: 'action', memory: 0, options: [] },
    { file: 'by-hand', gives: 'distribution', memory: 0, options: [] },
  ])('$file is played on every panel, and judged', async ({ file, gives, memory, options }) => {
    const policy = `${POLICIES}/${file}.onnx`;
    const found = await evaluated('--policy', policy, ...options, '--panel', panelFile('small', SMALL), ...FEW);
    const expected = Object.entries(SMALL.panels).flatMap(([panel, simulators]) =>
      simulators.map((simulator) => ({ panel, simulator, episodes: 6, return_mean: expect.any(Number) as number })),
    );
    expect(found.simulators).toMatchObject(expected);
    expect(found.policies).toMatchObject([{ role: 'agent', file: policy, gives, memory_size: memory }]);
    expect(found.scores['train_return']).toBe(found.simulators[0]!['return_mean']);
    // Nobody can tell how undecided a policy is that gives its action alone.
    expect(found.scores['policy_entropy']).toEqual(gives === 'action' ? null : expect.any(Number));
    expect(found.sensitivity.filter(({ kind }) => kind === 'rule').length).toBeGreaterThan(20);
  });

  it.each(['torch-box', 'sb3-box'])('%s acts in a box', async (file) => {
    const panel = panelFile('box', { ...SMALL, family_options: { continuous_actions: true } });
    const found = await evaluated('--policy', `${POLICIES}/${file}.onnx`, '--panel', panel, ...FEW);
    expect(found.simulators).toHaveLength(2);
    expect(found.policies).toMatchObject([{ gives: 'action' }]);
  });

  it('holds the middle of its intervals, repeats itself, and plays other episodes under another seed', async () => {
    const panel = panelFile('small', SMALL);
    const args = ['--policy', `${POLICIES}/by-hand.onnx`, '--panel', panel, '--episodes', '40'];
    const found = await evaluated(...args);
    expect(await evaluated(...args)).toEqual(found);
    for (const key of ['train_return', 'heldout_return', 'collapse_gap']) {
      const [low, high] = found.ci95[key]!;
      expect(low).toBeLessThan(found.scores[key] as number);
      expect(high).toBeGreaterThan(found.scores[key] as number);
    }
    const other = await evaluated(...args, '--seed', '1');
    expect(other.scores['train_return']).not.toBe(found.scores['train_return']);
  });

  it('is told to people and written to files, too', async () => {
    const out = path.join(folder, 'out');
    const args = ['evaluate', '--policy', `${POLICIES}/torch-mlp.onnx`, '--panel', PANEL, ...FEW];
    const { stdout, exitCode } = await thaw([...args, '--out', out]);
    expect(exitCode).toBe(EXIT.done);
    expect(stdout).toMatch(/^spread-strangers: simple_spread, seats 0, 1, 2; 6 episodes/);
    expect(stdout).toMatch(/verdict untrained/);
    const csv = (await thaw([...args, '-o', 'csv'])).stdout;
    expect(readFileSync(path.join(out, 'results.csv'), 'utf8')).toBe(csv);
    const simulators = Object.values(panels).flat().length;
    const lines = (name: string) => readFileSync(path.join(out, name), 'utf8').trimEnd().split('\r\n').length - 1;
    expect([lines('results.csv'), lines('episodes.csv')]).toEqual([simulators, 6 * simulators]);
    const { sensitivity } = JSON.parse(readFileSync(path.join(out, 'results.json'), 'utf8')) as Document;
    expect(lines('sensitivity.csv')).toBe(sensitivity.length);
  });

  it('also roll out', async () => {
    const rollout = ['rollout', '--simulator', 'base', '--policy', `${POLICIES}/torch-lstm.onnx`];
    const { stdout, exitCode } = await thaw([...rollout, '--state', 'h0=h1', '--state', 'c0=c1', '-o', 'json']);
    expect([exitCode, stdout.trimEnd().split('\n').length]).toEqual([EXIT.done, 26]);
    expect(await thaw(rollout)).toMatchObject({
      exitCode: EXIT.request,
      stderr: expect.stringContaining('--state NAME=OUT') as string,
    });
  });
});

describe('what does not fit is refused, with what was found and what to do', () => {
  const tag = { family: 'simple_tag', panels: { train: ['base'] } };
  const mlp = `${POLICIES}/torch-mlp.onnx`;
  const cases: [title: string, args: () => string[], message: RegExp][] = [
    [
      'a policy of another shape',
      () => ['--policy', mlp, '--panel', 'experiments/demo.json'],
      /takes 18 features.*has 12 \(or 14 with its identity\).*obs float32 \[batch, 18\].*opset 20.*\[rows, 12\]/s,
    ],
    ['no policy for a role', () => ['--policy', `adversary=${mlp}`, '--panel', panelFile('tag', tag)], /takes 18/],
    ['an unknown role', () => ['--policy', `agnt=${mlp}`, '--panel', PANEL], /no role "agnt".*Did you mean agent/s],
    ['two policies for one role', () => ['--policy', mlp, '--policy', mlp, '--panel', PANEL], /are both for agent/],
    ['a file that is none', () => ['--policy', 'nothing.onnx', '--panel', PANEL], /nothing\.onnx cannot be read/],
    ['a file that is no model', () => ['--policy', PANEL, '--panel', PANEL], /is no ONNX model/],
    [
      'panels with a slip of the keyboard',
      () => ['--policy', mlp, '--panel', panelFile('slip', { family: 'simple_spread', panels: { train: ['bse'] } })],
      /panels\.train\[0\].*unknown simulator "bse".*did you mean "base"/s,
    ],
    [
      'panels without a key that they have',
      () => ['--policy', mlp, '--panel', panelFile('key', { family: 'simple_spread', panel: {} })],
      /unknown key "panel".*did you mean "panels"/s,
    ],
    [
      'nothing to compare with',
      () => ['--policy', mlp, '--panel', panelFile('empty', { family: 'simple_spread', panels: { test: ['base'] } })],
      /panels\.train.*the simulators that the policy was trained in/s,
    ],
    [
      'an experiment whose variants have other panels',
      () => ['--policy', mlp, '--panel', 'experiments/forms/batch-form.json'],
      /different panels.*--variant sim_a/s,
    ],
    ['half of a state', () => ['--policy', mlp, '--state', 'h0', '--panel', PANEL], /as in h0=h1/],
  ];
  it.each(cases)('%s', async (_title, args, message) => {
    const { exitCode, stderr, stdout } = await thaw(['evaluate', ...args(), ...FEW]);
    expect([exitCode, stdout]).toEqual([EXIT.request, '']);
    expect(stderr).toMatch(message);
  });
});

describe('the policies of runs', () => {
  const spec = {
    name: 'judged',
    family: 'simple_spread',
    family_options: { agents: 2, observe_velocities: true, communication_channel: false },
    learners: [0],
    panels: {
      train: ['partner_fixed', 'partner_nearest'],
      validation: ['partner_left'],
      test: ['partner_right', 'partner_any'],
    },
    algorithm: { name: 'ippo', hidden_sizes: [16], parallel_environments: 32 },
    variants: { plain: {}, remembers: { algorithm: { recurrent: { units: 8 } } } },
    strategy: { kind: 'pool', size: 2 },
    seeds: [3],
    budget: { env_steps: 16_000, rounds: 2 },
    evaluation: { every_rounds: 2, episodes: 20, final_episodes: 60, seed: 5 },
  };
  let home: HomeOfTests;
  let file: string;
  let env: Record<string, string>;
  const told = async (...args: string[]): Promise<unknown> =>
    JSON.parse((await thaw([...args, '-o', 'json'], env)).stdout);

  beforeAll(async () => {
    home = await startHomeOfTests();
    env = { THAW_HOME: home.session.configuration.home };
    file = panelFile('judged', { ...spec, output_dir: 'runs' });
    expect(await thaw(['run', file], env)).toMatchObject({ exitCode: EXIT.done });
  });
  afterAll(() => home.end());

  it.each(['plain', 'remembers'])('of %s are given the rows of their run, number for number', async (variant) => {
    const policy = path.join(folder, 'runs/policies', `${variant}-3-0.onnx`);
    const found = await evaluated('--policy', policy, '--panel', file);
    const { rows } = (await told('results', '@latest')) as { rows: Row[] };
    const row = rows.find((each) => each['variant'] === variant)!;
    const ofRun = (list: unknown) => (list as Row[]).filter((each) => each['variant'] === variant);

    const returns = ofRun(await told('results', '@latest', '--per', 'simulator'));
    expect(returns).toHaveLength(5);
    for (const each of returns) {
      const { panel, simulator, episodes, return_mean, return_std } = each;
      expect(found.simulators).toContainEqual(
        expect.objectContaining({ panel, simulator, episodes, return_mean, return_std }),
      );
    }
    for (const [key, value] of Object.entries(found.scores)) expect([key, value]).toEqual([key, row[key]]);

    const sensitivities = ofRun(await told('results', '@latest', '--sensitivity'));
    expect(sensitivities.length).toBeGreaterThan(20);
    expect(found.sensitivity).toEqual(sensitivities.map(({ variant: _variant, seed: _seed, ...rest }) => rest));
  });

  it('are not put into another world, and what differs in options is told', async () => {
    const policy = path.join(folder, 'runs/policies/plain-3-0.onnx');
    const tag = panelFile('tag', { family: 'simple_tag', panels: { train: ['base'] } });
    expect(await thaw(['evaluate', '--policy', policy, '--panel', tag])).toMatchObject({
      exitCode: EXIT.request,
      stderr: expect.stringMatching(/was exported for simple_spread, and this is simple_tag/) as string,
    });
    const { family, learners, panels, family_options: options } = spec;
    const longer = panelFile('longer', {
      ...{ family, learners, panels },
      family_options: { ...options, episode_steps: 30 },
    });
    const { exitCode, stderr } = await thaw(['evaluate', '--policy', policy, '--panel', longer, ...FEW, '-o', 'csv']);
    expect(exitCode).toBe(EXIT.done);
    expect(stderr).toMatch(/trained with other family options: episode_steps 25, here 30/);
  });
});
