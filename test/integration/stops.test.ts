import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trainingChildren } from '../../cli/bench/victims.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { installationRoot } from '../../infra/installation.ts';
import { listOpenExperiments, listRuns, type RunStatus } from '../../infra/postgres/run-rows.ts';
import { closeOpenRuns } from '../../infra/postgres/stop-rows.ts';
import { reconcile } from '../../infra/temporal/reconcile.ts';
import { EXIT } from '../../cli/errors/exit-codes.ts';
import { thaw, type CommandOutcome } from '../support/command-line.ts';
import { startHomeOfTests, type HomeOfTests } from '../support/home-of-tests.ts';
import { specDocument } from '../support/spec-document.ts';

/** How soon nothing of a killed run may be left. */
const GONE_MS = 3_000;
const PATIENCE = { timeout: 30_000, interval: 50 };

let session: ServiceSession;
let folder: string;
let home: HomeOfTests;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-stops-'));
  home = await startHomeOfTests();
  ({ session } = home);
});
afterAll(async () => {
  try {
    expect(await openAttemptsOfFinalRuns()).toEqual([]);
  } finally {
    await home.end();
    rmSync(folder, { recursive: true });
  }
});

const environment = () => ({ THAW_HOME: session.configuration.home });
const command = (...args: string[]): Promise<CommandOutcome> => thaw(args, environment());

/** [P35] No attempt is open under a run that is over. */
async function openAttemptsOfFinalRuns(): Promise<unknown[]> {
  const { rows } = await session.database.query(
    `select r.id, r.state, a.number from attempts a join runs r on r.id = a.run_id
      where a.ended_at is null and r.finished_at is not null`,
  );
  return rows;
}

/** A file with runs of one variant that last for minutes, in rounds of about half a second. */
function writeSpec(name: string, seedCount: number): string {
  const document = specDocument();
  const file = path.join(folder, `${name}.json`);
  const spec = {
    ...document,
    name,
    variants: { frozen: document.variants['frozen'] },
    seeds: { first: 0, count: seedCount },
    algorithm: { name: 'ippo', parallel_environments: 32 },
    budget: { env_steps: 800 * 20 * 400, rounds: 400 },
    evaluation: { every_rounds: 400, episodes: 5, final_episodes: 5 },
    execution: { max_concurrent_runs: 2, retries: { lost: 20 } },
  };
  writeFileSync(file, JSON.stringify(spec));
  return file;
}

async function submit(name: string, seedCount: number): Promise<string> {
  const { stdout, stderr, exitCode } = await command('submit', writeSpec(name, seedCount));
  expect(exitCode, stderr).toBe(EXIT.done);
  return stdout.split(' ')[0]!;
}

const runsOf = (id: string): Promise<readonly RunStatus[]> => listRuns(session.database, id);
const statesOf = async (id: string): Promise<string[]> => (await runsOf(id)).map(({ state }) => state);

/** Runs of these seeds are in the middle of a round, and have finished one. */
async function untilTraining(id: string, seeds: readonly number[]): Promise<void> {
  await expect
    .poll(async () => {
      const runs = (await runsOf(id)).filter(({ seed }) => seeds.includes(seed));
      return runs.filter(({ state, roundsCompleted }) => state === 'RUNNING' && roundsCompleted > 0).length;
    }, PATIENCE)
    .toBe(seeds.length);
}

/** Each of these runs commits a further round. */
async function untilFurther(id: string, seeds: readonly number[]): Promise<void> {
  const before = new Map((await runsOf(id)).map((run) => [run.seed, run.roundsCompleted]));
  await expect
    .poll(
      async () =>
        (await runsOf(id)).filter((run) => seeds.includes(run.seed) && run.roundsCompleted > before.get(run.seed)!)
          .length,
      PATIENCE,
    )
    .toBe(seeds.length);
}

const workflowsOpen = (id: string): Promise<boolean> => session.orchestrator.isExperimentOpen({ id });

describe('stopping', () => {
  it('pause keeps what is computed, holds nothing up, and resume goes on; kill leaves no process', async () => {
    const id = await submit('paused', 3);
    await untilTraining(id, [0, 1]);

    const paused = await command('pause', '--wait', id);
    expect(paused).toMatchObject({ exitCode: EXIT.done, stdout: expect.stringContaining('3 PAUSED') });
    expect(paused.stdout).toContain(`thaw resume ${id}`);
    const kept = await runsOf(id);
    expect(kept.map(({ roundsCompleted }) => roundsCompleted > 0)).toEqual([true, true, false]);
    await expect.poll(() => trainingChildren(session.configuration), { timeout: GONE_MS }).toEqual([]);
    expect(await listOpenExperiments(session.database)).toEqual([]);
    const waited = await command('wait', id);
    expect(waited).toMatchObject({ exitCode: EXIT.runsFailed, stdout: expect.stringContaining(`thaw resume ${id}`) });

    expect(await command('resume', id)).toMatchObject({ exitCode: EXIT.done });
    await untilFurther(id, [0, 1]);
    expect((await statesOf(id)).filter((state) => state === 'RUNNING')).toHaveLength(2);

    const killed = await command('kill', id);
    expect(killed).toMatchObject({ exitCode: EXIT.done, stdout: expect.stringContaining('3 CANCELLED') });
    await expect.poll(() => trainingChildren(session.configuration), { timeout: GONE_MS }).toEqual([]);
    expect((await runsOf(id)).map(({ reason }) => reason)).toEqual(Array(3).fill('killed by request'));
    await expect.poll(() => workflowsOpen(id), PATIENCE).toBe(false);
    expect((await command('kill', id)).stdout).toContain('nothing to kill');
  }, 120_000);

  it('one run, gracefully or at once, leaves the others alone, and the next ones begin', async () => {
    const id = await submit('single', 4);
    await untilTraining(id, [0, 1]);
    const first = trainingChildren(session.configuration);
    expect(first).toHaveLength(2);
    const cancelled = await command('cancel', `${id}/frozen/0`);
    expect(cancelled).toMatchObject({ exitCode: EXIT.done, stdout: expect.stringContaining('1 CANCELLED') });
    const killed = await command('kill', `${id}/frozen/1`);
    expect(killed).toMatchObject({ exitCode: EXIT.done, stdout: expect.stringContaining('1 CANCELLED') });
    const left = () => trainingChildren(session.configuration).filter((child) => first.includes(child));
    await expect.poll(left, { timeout: GONE_MS }).toEqual([]);
    await untilTraining(id, [2, 3]);
    const runs = await runsOf(id);
    expect(runs.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED', 'RUNNING', 'RUNNING']);
    expect(runs.map(({ reason }) => reason)).toEqual(['cancelled by request', 'killed by request', null, null]);
    expect(trainingChildren(session.configuration)).toHaveLength(2);

    const all = await command('cancel', id);
    expect(all).toMatchObject({ exitCode: EXIT.done, stdout: expect.stringContaining('4 CANCELLED') });
    await expect.poll(() => trainingChildren(session.configuration), { timeout: GONE_MS }).toEqual([]);
  }, 120_000);

  it('[P36] by hand at the server repairs itself: runs go on from their last committed rounds', async () => {
    const id = await submit('repaired', 2);
    await untilTraining(id, [0, 1]);
    await session.orchestrator.terminateRun({ id: `${id}/frozen/0` });
    await untilFurther(id, [0, 1]);

    const before = await runsOf(id);
    await session.orchestrator.terminateExperiment({ id });
    await expect.poll(() => workflowsOpen(id), PATIENCE).toBe(false);
    await reconcile(session.database, session.orchestrator, { secondLookMs: 0 });
    await untilFurther(id, [0, 1]);
    for (const [index, run] of (await runsOf(id)).entries()) {
      expect(run).toMatchObject({ state: 'RUNNING', reason: null });
      expect(run.roundsCompleted).toBeGreaterThan(before[index]!.roundsCompleted);
    }

    // Somebody closes the rows under a workflow that goes on.
    const { length } = await closeOpenRuns(session.database, { experimentId: id, runId: undefined }, 'closed by hand');
    expect(length).toBe(2);
    await expect.poll(() => workflowsOpen(id), PATIENCE).toBe(false);
    const after = await runsOf(id);
    expect(after.map(({ reason }) => reason)).toEqual(['closed by hand', 'closed by hand']);
    expect(after.map(({ state }) => state)).toEqual(['CANCELLED', 'CANCELLED']);
    await expect.poll(() => trainingChildren(session.configuration), { timeout: GONE_MS }).toEqual([]);
  }, 120_000);
});

/** `thaw run` as a shell starts it; `told` is what it has written to standard error. */
function startRun(file: string) {
  const { PATH = '', HOME = '' } = process.env;
  const main = path.join(installationRoot(), 'dist/cli/main.js');
  const child = spawn(process.execPath, [main, 'run', file], {
    env: { PATH, HOME, ...environment() },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.on('data', (data: Buffer) => (told += data.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, ended, told: () => told };
}

describe('a signal to `thaw run`', () => {
  it('twice Ctrl-C cancels, and tells how to go on', async () => {
    const { child, ended, told } = startRun(writeSpec('interrupted', 1));
    await expect.poll(told, PATIENCE).toMatch(/interrupted-\w+ {2}version/);
    const id = /interrupted-\w+/.exec(told())![0];
    await untilTraining(id, [0]);
    child.kill('SIGINT');
    await expect.poll(told, PATIENCE).toContain('Leaving; the runs go on. Ctrl-C again');
    child.kill('SIGINT');
    expect(await ended).toBe(EXIT.runsFailed);
    expect(told()).toContain(`thaw resume ${id}`);
    expect(await statesOf(id)).toEqual(['CANCELLED']);
  }, 60_000);

  it('SIGTERM leaves the runs to themselves', async () => {
    const { child, ended, told } = startRun(writeSpec('left', 1));
    await expect.poll(told, PATIENCE).toMatch(/left-\w+ {2}version/);
    const id = /left-\w+/.exec(told())![0];
    await untilTraining(id, [0]);
    child.kill('SIGTERM');
    expect(await ended).toBe(EXIT.interrupted);
    expect(told()).toContain(`thaw watch ${id}`);
    await untilFurther(id, [0]);
    expect((await command('kill', id)).exitCode).toBe(EXIT.done);
  }, 60_000);
});
