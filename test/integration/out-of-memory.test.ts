import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import { benchSpec } from '../../cli/bench/spec.ts';
import { kill, survivors, trainingChildren, type Doomed } from '../../cli/bench/victims.ts';
import { isFinished } from '../../cli/runs/run-counts.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { submitSpecs } from '../../cli/submission/submission.ts';
import { SILENT, watchExperiment } from '../../cli/watching/watching.ts';
import { listLoggedAttempts, type LoggedAttempt } from '../../infra/postgres/attempt-log.ts';
import { deterministicDigest } from '../../infra/postgres/deterministic-digest.ts';
import { findExperiment, runId } from '../../infra/postgres/experiment-rows.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { takeRun } from '../support/take-run.ts';
import { startComputing, type Computing } from '../support/computing.ts';
import { storeExperiment } from '../support/store-experiment.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-memory-'));
let postgres: TestPostgres;
let computing: Computing;
beforeAll(async () => {
  computing = startComputing(folder);
  postgres = await startTestPostgres();
});
afterAll(async () => {
  await computing.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const ROUNDS = 4;
const ENVIRONMENTS = 1024;
/** So many that a process holds what it takes for longer than its memory goes unwatched. */
const EPOCHS = 4;
/** A minibatch that is a whole block; computed at once it takes some 250 MiB, in grains a tenth of that. */
const MINIBATCH = ENVIRONMENTS * 25;
const GRAIN = MINIBATCH / 16;
const SMALLEST_MIB = 256;

const algorithm = (changes: object): string =>
  `algorithm=${JSON.stringify({
    name: 'ippo',
    hidden_sizes: [256, 256],
    parallel_environments: ENVIRONMENTS,
    minibatch_size: MINIBATCH,
    epochs: EPOCHS,
    ...changes,
  })}`;
const execution = (changes: object): string =>
  `execution=${JSON.stringify({ sampler_processes: 2, retries: { error: 0, lost: 5, out_of_memory: 10 }, ...changes })}`;

const specOf = (seed: number, ...overrides: string[]) =>
  benchSpec('durability', [
    'variants={"pool":{"strategy":{"kind":"pool","size":2}}}',
    `seeds=[${seed}]`,
    algorithm({ gradient_grain: GRAIN }),
    `budget={"rounds":${ROUNDS},"env_steps":${ROUNDS * MINIBATCH}}`,
    `evaluation={"every_rounds":${ROUNDS},"episodes":2,"final_episodes":2}`,
    execution({}),
    ...overrides,
  ]);

/** The rows of a run to which nothing has happened. */
async function undisturbedDigest(seed: number): Promise<string> {
  const { database } = await postgres.createDatabase();
  const { experiment } = await specOf(seed);
  await storeExperiment(database, 'alone', experiment);
  await takeRun(computing.dependenciesOn(database), runId('alone', 'pool', seed));
  return deterministicDigest(database, 'alone');
}

async function submit(session: ServiceSession, seed: number, ...overrides: string[]): Promise<string> {
  const [submission] = await submitSpecs(session, [await specOf(seed, ...overrides)]);
  return submission!.experiment.id;
}

async function watch(
  { database }: ServiceSession,
  id: string,
  until: (run: RunStatus) => boolean = () => false,
): Promise<RunStatus> {
  const experiment = await findExperiment(database, id);
  const runs = await watchExperiment(database, experiment, {
    display: SILENT,
    until: (all) => until(all[0]!) || isFinished(all),
  });
  return runs[0]!;
}

async function attemptsOf({ database }: ServiceSession, id: string): Promise<readonly LoggedAttempt[]> {
  const attempts = await listLoggedAttempts(database, { experimentId: id, runId: undefined, which: 'all' });
  return attempts.toSorted((left, right) => left.number - right.number);
}

it('[P06][P14][P25][P26][P31][P32][P102] what lacks memory or is killed goes on with its last committed round, smaller if need be, and ends with the same rows', async () => {
  const alone = [await undisturbedDigest(0), await undisturbedDigest(1)];
  await inPrivateHome(async (session) => {
    expect(await lackMemory(session)).toBe(alone[0]);
    expect(await killInMiddle(session)).toBe(alone[1]);
    await exhaustBudget(session);
  });
}, 240_000);

/** From some moment on the worker allows too little memory for what the run takes at its full size. */
async function lackMemory(session: ServiceSession): Promise<string> {
  const limited = await specOf(0, execution({ memory_mib: SMALLEST_MIB }));
  const id = await submit(session, 0);
  await watch(session, id, ({ roundsCompleted }) => roundsCompleted >= 1);
  await submitSpecs(session, [limited]);
  expect(await watch(session, id)).toMatchObject({ state: 'SUCCEEDED', roundsCompleted: ROUNDS });
  const attempts = await attemptsOf(session, id);
  const lacking = attempts.filter(({ outcome }) => outcome === 'out_of_memory');
  const changes = ['sampler_processes 2 → 1'];
  for (let rows = MINIBATCH; rows > GRAIN; rows /= 2) {
    changes.push(`rows of a minibatch at once ${rows} → ${rows / 2}`);
  }
  expect(lacking.length).toBeGreaterThanOrEqual(2);
  expect(lacking.map(({ nextChange }) => nextChange)).toEqual(changes.slice(0, lacking.length));
  for (const attempt of lacking) {
    expect(attempt.settings!.memoryLimitMib).toBe(SMALLEST_MIB);
    expect(attempt.peakRssMib).toBeGreaterThan(SMALLEST_MIB);
    expect([attempt.signal, attempt.exitCode]).not.toEqual([null, null]);
  }
  expect(attempts.at(-1)!.settings!.chunkRows).toBeLessThan(MINIBATCH);
  expectNothingTwice(attempts);
  return deterministicDigest(session.database, id);
}

/** Killed in the middle of a later round. */
async function killInMiddle(session: ServiceSession): Promise<string> {
  const id = await submit(session, 1);
  const doomed: Doomed[] = [];
  // A round may end while it is being killed; then it is the next one's turn.
  await vi.waitUntil(
    async () => {
      const attempts = await attemptsOf(session, id);
      if (attempts.some(({ outcome }) => outcome === 'lost')) return true;
      if (attempts.some(isInMiddleOfLaterRound)) doomed.push(...killChildren(session));
      return false;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(await watch(session, id)).toMatchObject({ state: 'SUCCEEDED', roundsCompleted: ROUNDS });
  expect(survivors(doomed)).toEqual([]);
  const attempts = await attemptsOf(session, id);
  const lost = attempts.findIndex(({ outcome }) => outcome === 'lost');
  const { kind, round } = attempts[lost]!;
  expect(round).toBeGreaterThanOrEqual(1);
  expect(attempts[lost + 1]).toMatchObject({ kind, round });
  expectNothingTwice(attempts);
  return deterministicDigest(session.database, id);
}

const isInMiddleOfLaterRound = ({ kind, round, outcome, startedAt }: LoggedAttempt): boolean =>
  outcome === null && kind === 'train_round' && round >= 1 && Date.now() - startedAt.getTime() > 300;

function killChildren({ configuration }: ServiceSession): Doomed[] {
  // The last first, so that the places of the others stay what they are.
  return trainingChildren(configuration)
    .map((_, index) => index)
    .reverse()
    .flatMap((index) => kill(configuration, 'training child', { choose: () => index }));
}

/** A round that is committed is never computed again. */
function expectNothingTwice(attempts: readonly LoggedAttempt[]): void {
  const trained = attempts.filter(({ kind, outcome }) => kind === 'train_round' && outcome === 'done');
  expect(trained.map(({ round }) => round)).toEqual(Array.from({ length: ROUNDS }, (_, round) => round));
}

/** A run that never fits: its budget of another class is not touched, and k retries are k + 1 attempts. */
async function exhaustBudget(session: ServiceSession): Promise<void> {
  const retries = { error: 3, lost: 5, out_of_memory: 1 };
  const limits = { sampler_processes: 1, memory_mib: SMALLEST_MIB, retries };
  const id = await submit(session, 2, algorithm({}), execution(limits));
  const run = await watch(session, id);
  const attempts = (await attemptsOf(session, id)).filter(({ kind }) => kind === 'train_round');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['out_of_memory', 'out_of_memory']);
  expect(attempts.map(({ nextChange, failureCount }) => [nextChange, failureCount])).toEqual([
    [null, 1],
    [null, 2],
  ]);
  expect(run.state).toBe('CRASHED');
  expect(run.reason).toMatch(/^out_of_memory after 2 attempts: used \d+ MiB, execution\.memory_mib is 256/);
}
