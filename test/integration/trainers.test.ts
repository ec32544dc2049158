import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { descendantsOf } from '../../cli/bench/process-table.ts';
import { trainingChildren } from '../../cli/bench/victims.ts';
import { EXIT } from '../../cli/errors/exit-codes.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { installationRoot } from '../../infra/installation.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { replayRoute } from '../../web/api/replay.ts';
import { thaw, type CommandOutcome } from '../support/command-line.ts';
import { type HomeOfTests, startHomeOfTests } from '../support/home-of-tests.ts';
import { codeBlocks } from '../support/guide-blocks.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { specDocument } from '../support/spec-document.ts';

const EXAMPLE = 'experiments/trainers/numpy';
const SMALL = ['evaluation.every_rounds=1', 'evaluation.episodes=6', 'evaluation.final_episodes=8', 'seeds=[0]'];
const sets = (...values: string[]): string[] => values.flatMap((value) => ['--set', value]);

let folder: string;
let python: string;
let home: HomeOfTests;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-trainers-'));
  cpSync(path.join(installationRoot(), EXAMPLE), folder, { recursive: true });
  python = (await pythonEnvironment()).interpreter;
  home = await startHomeOfTests();
}, 300_000);
afterAll(async () => {
  await home.end();
  rmSync(folder, { recursive: true });
});

const command = ({ configuration }: ServiceSession, ...args: string[]): Promise<CommandOutcome> =>
  thaw(args, { THAW_HOME: configuration.home });

/** The example with the interpreter of the tests, and less of it. */
function exampleArgs(...more: string[]): string[] {
  const interpreter = `trainer.command=${JSON.stringify([python, 'train.py'])}`;
  const variants = 'variants={"pool":{"strategy":{"kind":"pool","size":3}}}';
  return [path.join(folder, 'spread.json'), ...sets(interpreter, variants, ...SMALL, ...more)];
}

async function submit(session: ServiceSession, ...args: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await command(session, 'submit', ...args);
  expect(exitCode, stderr).toBe(EXIT.done);
  return stdout.split(' ')[0]!;
}

/** Programs that training processes have started. */
const trainersOf = ({ configuration }: ServiceSession): number[] =>
  trainingChildren(configuration).flatMap(descendantsOf);

describe('the example in numpy', () => {
  const budget = ['budget.env_steps=48000', 'budget.rounds=3'];

  it('[P22] is killed in the middle of a round, and ends with the rows of one that was left alone', async () => {
    const { session } = home;
    const id = await submit(session, ...exampleArgs(...budget));
    const roundsOf = async (): Promise<number> =>
      (await session.database.query('select rounds_completed as n from runs where experiment_id = $1', [id])).rows[0]![
        'n'
      ] as number;
    await expect
      .poll(async () => ((await roundsOf()) > 0 ? trainersOf(session).length : 0), { timeout: 60_000, interval: 20 })
      .toBe(1);
    process.kill(trainersOf(session)[0]!, 'SIGKILL');
    const waited = await command(session, 'wait', id);
    expect(waited.exitCode, waited.stderr).toBe(EXIT.done);
    const { rows } = await session.database.query(
      `select a.outcome, a.signal from attempts a join runs r on r.id = a.run_id where r.experiment_id = $1 and a.outcome <> 'done'`,
      [id],
    );
    expect(rows).toEqual([{ outcome: 'lost', signal: 'SIGKILL' }]);

    const { stdout } = await command(session, 'results', id, '-o', 'json');
    const { rows: results } = JSON.parse(stdout) as { rows: { state: string; verdict: string; env_steps: number }[] };
    expect(results).toMatchObject([{ state: 'SUCCEEDED', env_steps: 48_000, verdict: expect.stringMatching(/\w/) }]);
    const metrics = await session.database.query(
      `select count(*)::int as n from metrics m join runs r on r.id = m.run_id where r.experiment_id = $1 and m.name = 'entropy'`,
      [id],
    );
    expect(metrics.rows).toEqual([{ n: 3 }]);
    const left = readdirSync(path.join(session.configuration.home, 'trainers'));
    expect(left).toEqual([]);

    const other = await startHomeOfTests();
    try {
      const alone = await submit(other.session, ...exampleArgs(...budget));
      expect(alone).toBe(id);
      expect((await command(other.session, 'wait', alone)).exitCode).toBe(EXIT.done);
      expect(await deterministicDigest(session.database, id)).toBe(
        await deterministicDigest(other.session.database, alone),
      );
    } finally {
      await other.end();
    }
  }, 240_000);

  it('exports the policies as the program wrote them, and edited it is another experiment', async () => {
    const { session } = home;
    const id = await submit(session, ...exampleArgs(...budget));
    expect((await command(session, 'wait', id)).exitCode).toBe(EXIT.done);
    const exported = path.join(folder, 'exported');
    const { exitCode, stderr } = await command(session, 'export', id, '--format', 'onnx', exported);
    expect(exitCode, stderr).toBe(EXIT.done);
    const models = readdirSync(exported, { recursive: true }).filter((name) => String(name).endsWith('.onnx'));
    expect(models).not.toEqual([]);

    const program = path.join(folder, 'train.py');
    writeFileSync(program, `${readFileSync(program, 'utf8')}\n# edited\n`);
    const plan = await command(session, 'validate', ...exampleArgs(...budget), '--print');
    const edited = JSON.parse(plan.stdout) as { variants: { pool: { algorithm: { files: object } } } };
    const { rows } = await session.database.query('select resolved from experiments where id = $1', [id]);
    const before = rows[0]!['resolved'] as typeof edited;
    expect(Object.keys(edited.variants.pool.algorithm.files).sort()).toEqual(['onnx_mlp.py', 'train.py']);
    expect(edited.variants.pool.algorithm.files).not.toEqual(before.variants.pool.algorithm.files);
  }, 120_000);
});

describe('the trainer of the guide', () => {
  const mining = { every_rounds: 1, episodes: 256, share: 0.1 };
  const STRATEGIES = {
    failures: { kind: 'failure_driven', size: 3, every_rounds: 1, score: 'none', mining },
    replay: { kind: 'adaptive', score: 'return_variance', every_rounds: 1 },
    self: { kind: 'self_play' },
    past: { kind: 'population', size: 2, every_rounds: 1 },
  };

  it('trains beside every kind of strategy that a trainer can serve', async () => {
    const { session } = home;
    const [{ text }] = codeBlocks(path.join(installationRoot(), 'docs/guides/own-trainer.md')).filter(
      ({ note }) => note === 'train.py',
    ) as unknown as [{ text: string }];
    writeFileSync(path.join(folder, 'guide.py'), text);
    const { algorithm, simulators, ...document } = specDocument();
    expect(algorithm).toBeDefined();
    const self = { partners: { '1': { kind: 'self' } } };
    const variants = Object.fromEntries(Object.entries(STRATEGIES).map(([name, strategy]) => [name, { strategy }]));
    const spec = {
      ...document,
      name: 'guide',
      simulators: { ...simulators, self },
      trainer: { kind: 'command', command: [python, 'guide.py'], files: ['guide.py', 'onnx_mlp.py'] },
      variants,
      seeds: [0],
      budget: { env_steps: 4800, rounds: 3 },
      evaluation: { every_rounds: 3, episodes: 4, final_episodes: 4 },
    };
    writeFileSync(path.join(folder, 'guide.json'), JSON.stringify(spec));
    const id = await submit(session, path.join(folder, 'guide.json'));
    const waited = await command(session, 'wait', id);
    expect(waited.exitCode, waited.stdout).toBe(EXIT.done);
    const { rows } = await session.database.query(
      `select r.variant, sum(e.episodes)::int as episodes, (select count(*)::int from mined_simulators m where m.run_id = r.id) as mined
         from runs r join training_episodes e on e.run_id = r.id where r.experiment_id = $1 group by r.id, r.variant`,
      [id],
    );
    expect(new Set(rows.map(({ variant }) => variant as string))).toEqual(new Set(Object.keys(STRATEGIES)));
    // Each round plays 1600 steps in episodes of 25.
    for (const { episodes } of rows) expect(episodes).toBe(4800 / 25);
    expect(rows.find(({ variant }) => variant === 'failures')!['mined']).toBeGreaterThan(0);
    await tellsThatThereIsNoCritic(id);
  }, 240_000);

  /** A trainer tells of no critic, so nobody knows when an episode went wrong: wherever failures are told, that is said. */
  async function tellsThatThereIsNoCritic(id: string): Promise<void> {
    const { session } = home;
    const told = JSON.parse((await command(session, 'failures', id, '-o', 'json')).stdout) as {
      failures: { failure: string; key_moment: number; has_critic: boolean; values: unknown[] }[];
    };
    expect(told.failures.length).toBeGreaterThan(0);
    for (const failure of told.failures) {
      expect(failure).toMatchObject({ key_moment: 0, has_critic: false });
      expect(failure.values.filter((value) => value !== 'NaN' && value !== 0)).toEqual([]);
    }
    const one = told.failures[0]!.failure;
    for (const asked of [id, one]) {
      const { stdout } = await command(session, 'failures', asked);
      expect(stdout).toMatch(/no critic/);
      expect(stdout).not.toMatch(/NaN/);
    }
    const picture = path.join(folder, 'failure.svg');
    const played = await command(session, 'rollout', '--failure', one, '--render', picture);
    expect(played.stderr).toContain('key moment: not known');
    expect(readFileSync(picture, 'utf8')).not.toMatch(/key moment/);
    const context = { database: session.database, server: { version: '0', allows_control: false } };
    const shown = await replayRoute.load(context, { id: one, query: {} });
    expect(shown).toMatchObject({ failure: { id: one, key_moment: 0, has_critic: false } });
  }
});

describe('a program that does not do what it should', () => {
  const script = (text: string): string[] => ['sh', '-c', text];
  const node = (text: string): string[] => [process.execPath, '-e', text];
  const result = (content: object): string =>
    `require('fs').writeFileSync(process.env.THAW_OUT + '/result.json', '${JSON.stringify(content)}')`;
  const save = `require('fs').mkdirSync(process.env.THAW_OUT + '/checkpoint', { recursive: true })`;
  const CASES = {
    exit: [script('echo the last words >&2; exit 3'), 'FAILED', 'error', /exit code 3/],
    silent: [['true'], 'FAILED', 'error', /exit code 0 and without a result/],
    absent: [['no-such-program'], 'FAILED', 'request', /"no-such-program" cannot be started/],
    killed: [script('kill -9 $$'), 'CRASHED', 'lost', /signal SIGKILL/],
    hungry: [
      node('const kept = []; setInterval(() => kept.push(Buffer.alloc(2 ** 26, 1)), 50)'),
      'CRASHED',
      'out_of_memory',
      /execution.memory_mib is 512/,
    ],
    mute: [script('sleep 60'), 'TIMED_OUT', 'stalled', /no progress/],
    slow: [
      node(
        `setInterval(() => require('fs').appendFileSync(process.env.THAW_OUT + '/events.jsonl', '{"env_steps": 1}\\n'), 100)`,
      ),
      'TIMED_OUT',
      'timeout',
      /execution.timeouts.round/,
    ],
    diverged: [
      node(result({ diverged: { what: 'loss', optimizer_step: 7 } })),
      'FAILED',
      'diverged',
      /loss of learner was not finite/,
    ],
    babbling: [
      node(`require('fs').appendFileSync(process.env.THAW_OUT + '/events.jsonl', 'progress: 1\\n')`),
      'FAILED',
      'request',
      /line 1 of events.jsonl/,
    ],
    empty: [node(`${save}; ${result({ policies: {} })}`), 'FAILED', 'request', /no policy for "agent", which learns/],
    garbage: [
      node(
        `${save}; require('fs').writeFileSync(process.env.THAW_OUT + '/p.onnx', 'no'); ${result({ policies: { agent: 'p.onnx' } })}`,
      ),
      'FAILED',
      'request',
      /the trainer's policy for agent is no ONNX model/,
    ],
    outside: [
      node(`${save}; ${result({ policies: { agent: '/etc/passwd' } })}`),
      'FAILED',
      'error',
      /which is not in its folder/,
    ],
  } as const;

  it('[P24] ends as what it is: each class of failure, with its last words, and without a process or folder left', async () => {
    const { session } = home;
    const file = path.join(folder, 'wrong.json');
    const { algorithm, variants, ...document } = specDocument();
    expect(algorithm).toBeDefined();
    const wrong = Object.entries(CASES).map(([name, [words]]) => [
      name,
      { ...variants['frozen'], trainer: { kind: 'command', command: words } },
    ]);
    const retries = { error: 0, lost: 0, out_of_memory: 0, timeout: 0, stalled: 0 };
    const execution = { retries, memory_mib: 512, max_concurrent_runs: 2, timeouts: { stall: '3s', round: '8s' } };
    const spec = { ...document, name: 'wrong', variants: Object.fromEntries(wrong), seeds: [0], execution };
    writeFileSync(file, JSON.stringify(spec));
    const id = await submit(session, file);
    expect((await command(session, 'wait', id)).exitCode).toBe(EXIT.runsFailed);
    const { rows } = await session.database.query(
      `select r.variant, r.state, a.outcome, a.message, a.log_tail from runs r join attempts a on a.run_id = r.id
        where r.experiment_id = $1 and a.outcome <> 'done'`,
      [id],
    );
    const ends = Object.fromEntries(rows.map(({ variant, ...end }) => [variant as string, end]));
    for (const [name, [, state, outcome, message]] of Object.entries(CASES)) {
      expect([name, ends[name]]).toEqual([
        name,
        expect.objectContaining({ state, outcome, message: expect.stringMatching(message) }),
      ]);
    }
    expect(ends['exit']!['log_tail']).toContain('the last words');
    expect(trainersOf(session)).toEqual([]);
  }, 240_000);
});
