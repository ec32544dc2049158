import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { cancelRuns } from '../../cli/lifecycle/cancellation.ts';
import { requeue } from '../../cli/lifecycle/requeue.ts';
import { findTarget, findWholeExperiment } from '../../cli/runs/find-target.ts';
import { loadResults } from '../../cli/results/show-results.ts';
import { submissionText, submitSpecs, type Submission } from '../../cli/submission/submission.ts';
import { writeOutputs } from '../../cli/submission/write-outputs.ts';
import { beginAttempt, commitInAttempt, endAttempt } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listEvents } from '../../infra/postgres/event-rows.ts';
import { findExperiment, runId } from '../../infra/postgres/experiment-rows.ts';
import { findRun, listRuns, setRunState } from '../../infra/postgres/run-rows.ts';
import { thaw, type CommandOutcome } from '../support/command-line.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { resolved, specDocument } from '../support/spec-document.ts';
import { storedSession } from '../support/stored-session.ts';

let postgres: TestPostgres;
let folder: string;
let database: Database;
let url: string;

beforeAll(async () => {
  postgres = await startTestPostgres();
  folder = mkdtempSync(path.join(tmpdir(), 'thaw-experiments-'));
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => void ({ database, url } = await postgres.createDatabase()));

const home = () => path.join(folder, 'home');
const look = (...args: string[]): Promise<CommandOutcome> => thaw(args, { THAW_DATABASE_URL: url, THAW_HOME: home() });
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await look(...args, '-o', 'json')).stdout);

/** Workflows as the command line sees them: which are open, and which were started. */
const orchestration = ({ isOpen = false } = {}) => storedSession(database, { home: home(), isOpen });

describe('looking at experiments', () => {
  it('tells a shell that completes the ids it has, and starts nothing where no database is', async () => {
    await seedExperiment(database, { id: 'older-1' });
    await seedExperiment(database, { id: 'newer-1', overrides: ['budget.rounds=6'] });
    expect((await look('completion', 'ids')).stdout).toBe('@latest\nnewer-1\nolder-1\n');
    const empty = path.join(folder, 'empty');
    expect(await thaw(['completion', 'ids'], { THAW_HOME: empty })).toMatchObject({ exitCode: 0, stdout: '@latest\n' });
    expect(existsSync(empty)).toBe(false);
  });

  it('lists them newest first with counts of states, and finds them by prefix and @latest', async () => {
    await seedExperiment(database, { id: 'older-1' });
    await seedExperiment(database, { id: 'newer-1', overrides: ['budget.rounds=6'] });
    await finishRun(database, runId('newer-1', 'pool', 0));
    expect(await json('list')).toMatchObject([
      { id: 'newer-1', version: 2, runs: { QUEUED: 3, SUCCEEDED: 1 } },
      { id: 'older-1', version: 1, runs: { QUEUED: 4 } },
    ]);
    expect(await json('get', '@latest')).toMatchObject({ id: 'newer-1', state: { QUEUED: 3, SUCCEEDED: 1 } });
    expect(await json('get', 'old')).toMatchObject({ id: 'older-1', runs: { length: 4 } });
    expect(await json('get', 'newer-1/pool/0')).toMatchObject({ experiment: 'newer-1', state: 'SUCCEEDED', seed: 0 });
    expect((await look('get', 'newer-1/pol/0')).stderr).toContain('Variants: frozen, pool');
    expect(await look('get', 'nothing')).toMatchObject({ exitCode: 2 });
    expect(existsSync(home())).toBe(false);
  });

  it('prints results of every run, and the pools that runs trained on', async () => {
    await seedExperiment(database);
    await finishRun(database, runId('example-1', 'pool', 0));
    const { stdout } = await look('results', 'example-1', '-o', 'csv');
    expect(stdout.trim().split('\r\n')).toHaveLength(1 + 4);
    expect((await look('results', 'example-1')).stdout).toContain('1 collapsed');
    const wrong = await look('results', 'example-1', '--metric', 'heldout_retrun');
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('heldout_return') as string });
    expect(await json('simulators', 'example-1')).toMatchObject([{ variant: 'pool', simulator: 'zero', weight: 1 }]);
  });

  it('tells what happened: events, and failed attempts with their last words', async () => {
    await seedExperiment(database);
    const run = runId('example-1', 'pool', 0);
    const token = await beginAttempt(database, {
      runId: run,
      kind: 'train_round',
      round: 3,
      worker: 'worker',
      fingerprint: {},
    });
    await endAttempt(database, token, {
      outcome: 'out_of_memory',
      message: 'killed',
      processId: 7,
      exitCode: null,
      signal: 'SIGKILL',
      logTail: 'first word\nlast word',
      peakRssMib: 2048,
    });
    await finishRun(database, runId('example-1', 'frozen', 0));
    const { stdout } = await look('logs', 'example-1');
    expect(stdout).toContain('submitted from');
    expect(stdout).toMatch(/pool\/0 {2}attempt 1, train_round of round 3: out_of_memory after .*: killed\n/);
    expect(stdout).toContain('last line: last word\n');
    expect(stdout).not.toContain('first word');
    expect(stdout).not.toContain('frozen/0');
    expect((await look('logs', 'example-1/frozen/0')).stdout).toContain('attempt 1, train_round of round 0: done');
  });

  it('waits until all runs are over, and says by its exit code whether they succeeded', async () => {
    await seedExperiment(database);
    const runs = await listRuns(database, 'example-1');
    for (const { id } of runs.slice(1)) await finishRun(database, id);
    const waiting = look('wait', 'example-1');
    await finishRun(database, runs[0]!.id);
    expect(await waiting).toMatchObject({ exitCode: 0, stdout: 'example-1  4 SUCCEEDED\n' });
    await seedExperiment(database, { id: 'other', overrides: ['budget.rounds=6'] });
    for (const { id } of await listRuns(database, 'other')) await setRunState(database, id, 'FAILED', 'broken');
    expect((await look('watch', 'other')).exitCode).toBe(4);
  });
});

describe('what an id names', () => {
  it('is one run, written with exactly its experiment, variant and seed', async () => {
    await seedExperiment(database);
    expect((await findTarget(database, 'example-1/pool/1')).run).toMatchObject({ variant: 'pool', seed: 1 });
    for (const text of ['pool', 'pool/', 'pool/1/', 'pool/1/2', 'pool/0x1', 'pool/1e0', 'pool/ 1', 'pool/-1', '']) {
      const finding = findTarget(database, `example-1/${text}`);
      await expect(finding, text).rejects.toMatchObject({ code: 'REQUEST_UNKNOWN_ID' });
    }
  });

  it('is a whole experiment where a verb acts on all runs: a run is refused', async () => {
    await seedExperiment(database);
    expect((await findWholeExperiment(database, '@latest')).runs).toHaveLength(4);
    await expect(findWholeExperiment(database, 'example-1/pool/1')).rejects.toMatchObject({
      code: 'REQUEST_BAD_ARGUMENT',
      remedy: expect.stringContaining('example-1') as string,
    });
    for (const verb of ['watch', 'wait']) expect((await look(verb, 'example-1/pool/1')).exitCode, verb).toBe(2);
  });

  it('is the newest version where it is exactly a name, also when that is a prefix of other ids', async () => {
    await seedExperiment(database, { id: 'example-a' });
    await seedExperiment(database, { id: 'example-b', overrides: ['budget.rounds=6'] });
    await seedExperiment(database, { id: 'example-longer', overrides: ['name=example-longer'] });
    expect(await findExperiment(database, 'example')).toMatchObject({ id: 'example-b', version: 2 });
    expect(await findExperiment(database, 'example-a')).toMatchObject({ version: 1 });
    await expect(findExperiment(database, 'exampl')).rejects.toMatchObject({ code: 'REQUEST_UNKNOWN_ID' });
  });
});

describe('submitting', () => {
  const spec = (overrides: readonly string[] = []) => ({
    file: path.join(folder, 'example.json'),
    document: specDocument(),
    experiment: resolved(specDocument(), overrides),
    policies: new Map<string, Uint8Array>(),
  });

  it('twice is one experiment, an edited file is a new version, and equal runs are not computed again', async () => {
    const { session, started } = orchestration({ isOpen: true });
    const [first] = await submitSpecs(session, [spec()]);
    const [second] = await submitSpecs(session, [spec()]);
    expect([first!.isNew, second!.isNew]).toEqual([true, false]);
    expect(second!.experiment.id).toBe(first!.experiment.id);
    for (const { id } of first!.runs) await finishRun(database, id);
    const [edited] = await submitSpecs(session, [spec(['seeds=[0,1,2]'])]);
    expect(edited!.experiment).toMatchObject({ name: 'example', version: 2 });
    expect(edited!.runs.map(({ seed, state }) => [seed, state])).toEqual(
      [0, 0, 1, 1].map((seed) => [seed, 'SKIPPED']).concat([2, 2].map((seed) => [seed, 'QUEUED'])),
    );
    expect(started).toEqual([first, second, edited].map((submission) => submission!.experiment.id));
    expect(first!.outputFolder).toBe(path.join(folder, 'results/example'));
  });

  it('again with another execution, label or description takes it over, for attempts to come, and logs it', async () => {
    const { session } = orchestration();
    const [first] = await submitSpecs(session, [spec()]);
    const changes = ['execution.memory_mib=4096', 'labels.paper="draft-2"', 'description="in other words"'];
    const [second] = await submitSpecs(session, [spec([...changes, 'diversity.metric="trajectory_kl"'])]);
    expect([second!.isNew, second!.experiment.id]).toEqual([false, first!.experiment.id]);
    expect(second!.experiment.resolved).toMatchObject({ labels: { paper: 'draft-2' }, description: 'in other words' });
    const run = await findRun(database, first!.runs[0]!.id);
    expect(run.execution.memory_mib).toBe(4096);
    expect(run.resolved.diversity.metric).toBe('trajectory_kl');
    const events = await listEvents(database, { experimentId: first!.experiment.id }, { after: 0, limit: 10 });
    const { memory_mib: before } = first!.experiment.resolved.execution;
    expect(events.at(-1)!.message).toContain(`execution.memory_mib ${before} → 4096`);
    await submitSpecs(session, [spec([...changes, 'diversity.metric="trajectory_kl"'])]);
    const after = await listEvents(database, { experimentId: first!.experiment.id }, { after: 0, limit: 10 });
    expect(after).toEqual(events);
  });

  it('again what did not succeed tells how to go on', async () => {
    const { session } = orchestration();
    const [{ experiment, runs }] = (await submitSpecs(session, [spec()])) as [Submission];
    for (const { id } of runs.slice(1)) await setRunState(database, id, 'CANCELLED', 'cancelled');
    await setRunState(database, runs[0]!.id, 'CRASHED', 'out of memory');
    const [again] = await submitSpecs(session, [spec()]);
    for (const words of [`thaw resume ${experiment.id}`, `thaw retry --failed ${experiment.id}`]) {
      expect(submissionText(again!)).toContain(words);
    }
  });

  it('starts a lost workflow again', async () => {
    await submitSpecs(orchestration().session, [spec()]);
    const { session, started } = orchestration({ isOpen: false });
    const [again] = await submitSpecs(session, [spec()]);
    expect(started).toEqual([again!.experiment.id]);
  });

  it('of what is finished starts nothing', async () => {
    const { session, started } = orchestration();
    const [submission] = await submitSpecs(session, [spec()]);
    for (const { id } of submission!.runs) await finishRun(database, id);
    started.length = 0;
    await submitSpecs(session, [spec()]);
    expect(started).toEqual([]);
  });
});

describe('cancelling and going on', () => {
  it('cancels runs that no workflow looks after, and resumes exactly those', async () => {
    await seedExperiment(database);
    await finishRun(database, runId('example-1', 'pool', 0));
    const { session, started } = orchestration();
    const experiment = await findExperiment(database, 'example-1');
    const after = await cancelRuns(session, { experiment });
    expect(after.map(({ state }) => state).sort()).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED', 'SUCCEEDED']);
    const target = await findTarget(database, 'example-1');
    const { counts } = await requeue(session, target, { states: ['CANCELLED'], endsPause: true, change: null });
    expect(counts).toEqual({ CANCELLED: 3 });
    expect(started).toEqual(['example-1']);
  });

  it('ends the authority of an attempt that still runs somewhere', async () => {
    await seedExperiment(database);
    const id = runId('example-1', 'pool', 0);
    const attempt = { runId: id, kind: 'train_round' as const, round: 0, worker: 'gone', fingerprint: {} };
    const token = await beginAttempt(database, attempt);
    await cancelRuns(orchestration().session, { experiment: await findExperiment(database, 'example-1') });
    const run = (await listRuns(database, 'example-1')).find((each) => each.id === id)!;
    expect(run.state).toBe('CANCELLED');
    const commit = commitInAttempt(database, token, null, async () => undefined);
    await expect(commit).rejects.toMatchObject({ code: 'WORLD_ATTEMPT_SUPERSEDED' });
  });

  it('queues failed runs again beside those in hand, and tells the workflow; not while it is being stopped', async () => {
    await seedExperiment(database);
    const [failed, running] = await listRuns(database, 'example-1');
    await setRunState(database, failed!.id, 'FAILED', 'broken');
    await setRunState(database, running!.id, 'CANCELLING', 'cancelled by request');
    const { session, started } = orchestration({ isOpen: true });
    const goOn = async () =>
      requeue(session, await findTarget(database, 'example-1'), { states: ['FAILED'], endsPause: false, change: null });
    await expect(goOn()).rejects.toMatchObject({ code: 'REQUEST_CONFLICT' });
    await setRunState(database, running!.id, 'RUNNING', null);
    expect((await goOn()).counts).toEqual({ FAILED: 1 });
    expect((await goOn()).counts).toEqual({});
    expect(started).toEqual(['example-1', 'example-1']);
  });
});

describe('the output folder', () => {
  it('gets the table as CSV and JSON and every policy, whole', async () => {
    await seedExperiment(database);
    await finishRun(database, runId('example-1', 'pool', 0));
    const read = vi.fn(async () => new Uint8Array([1, 2, 3]));
    const artifacts = { read, write: async () => ({ hash: '', bytes: 0 }), remove: async () => undefined };
    const results = await loadResults(database, await findExperiment(database, 'example-1'), { digest: true });
    const output = path.join(folder, 'out');
    mkdirSync(path.join(output, 'policies'), { recursive: true });
    writeFileSync(path.join(output, 'policies/removed-variant-0-0.onnx'), 'of an earlier version');
    for (let time = 0; time < 2; time += 1) await writeOutputs(output, { database, artifacts, results });
    expect(readdirSync(output).sort()).toEqual(['policies', 'results.csv', 'results.json']);
    expect(readdirSync(path.join(output, 'policies'))).toEqual(['pool-0-0.onnx']);
    expect([...readFileSync(path.join(output, 'policies/pool-0-0.onnx'))]).toEqual([1, 2, 3]);
    expect(read).toHaveBeenCalledWith('beef');
    const blocked = path.join(output, 'results.csv');
    await expect(writeOutputs(blocked, { database, artifacts, results })).rejects.toMatchObject({ code: 'WORLD_DISK' });
  });
});
