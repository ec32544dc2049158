import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptedChange } from '../../cli/lifecycle/change-experiment.ts';
import { findTarget } from '../../cli/runs/find-target.ts';
import { isComplete, resume } from '../../cli/lifecycle/resume-experiment.ts';
import { requeue } from '../../cli/lifecycle/requeue.ts';
import type { ServiceSession } from '../../cli/services/service-session.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { beginAttempt } from '../../infra/postgres/attempt-rows.ts';
import { findExperiment } from '../../infra/postgres/experiment-rows.ts';
import { commitRound } from '../../infra/postgres/round-rows.ts';
import { findRun, listRuns, setRunState } from '../../infra/postgres/run-rows.ts';
import { pauseExperiment } from '../../infra/postgres/stop-rows.ts';
import { finishRun } from '../support/seeded-experiment.ts';
import { specDocument } from '../support/spec-document.ts';
import { useStoredCommandLine } from '../support/stored-command-line.ts';
import { storedSession, submitDocument } from '../support/stored-session.ts';

const shell = useStoredCommandLine();
const folder = mkdtempSync(path.join(tmpdir(), 'thaw-resume-'));
afterAll(() => rmSync(folder, { recursive: true }));

let session: ServiceSession;
let started: string[];
beforeEach(() => void ({ session, started } = storedSession(shell.database, { home: folder })));

interface Asked {
  readonly file?: string;
  readonly overrides?: readonly string[];
}

async function resumed(id: string, { file, overrides = [] }: Asked = {}): Promise<string> {
  const target = await findTarget(shell.database, id);
  const asked = { file, overrides, takesSeeds: true };
  return resume(session, target, await acceptedChange(shell.database, target.experiment, asked));
}

const statesOf = async (id: string) => (await listRuns(shell.database, id)).map(({ state }) => state);

describe('going on', () => {
  it('ends a pause and queues what was stopped, but nothing that failed; of one run only that run', async () => {
    const { experiment, runs } = await submitDocument(session, specDocument());
    await setRunState(shell.database, runs[0]!.id, 'FAILED', 'broken');
    await setRunState(shell.database, runs[1]!.id, 'CANCELLED', 'cancelled by request');
    await pauseExperiment(shell.database, experiment.id);
    expect(await statesOf(experiment.id)).toEqual(['FAILED', 'CANCELLED', 'PAUSED', 'PAUSED']);
    started.length = 0;
    expect(await resumed(runs[2]!.id)).toContain('goes on with 1 PAUSED run');
    expect(await statesOf(experiment.id)).toEqual(['FAILED', 'CANCELLED', 'QUEUED', 'PAUSED']);
    expect((await findRun(shell.database, runs[2]!.id)).isPaused).toBe(false);
    expect(await resumed(experiment.id)).toMatch(/goes on with 1 (CANCELLED|PAUSED) run and 1 (CANCELLED|PAUSED) run/);
    expect(await statesOf(experiment.id)).toEqual(['FAILED', 'QUEUED', 'QUEUED', 'QUEUED']);
    expect(started).toEqual([experiment.id, experiment.id]);
  });

  it('[P15] with one run that is named works also where it failed', async () => {
    const { runs } = await submitDocument(session, specDocument());
    for (const [index, state] of (['FAILED', 'CRASHED', 'TIMED_OUT'] as const).entries()) {
      await setRunState(shell.database, runs[index]!.id, state, 'broken');
      await resumed(runs[index]!.id);
      expect((await findRun(shell.database, runs[index]!.id)).state).toBe('QUEUED');
    }
  });

  it('[P75] with failed runs begins at full size again where they are carried out otherwise, and only there', async () => {
    const { experiment, runs } = await submitDocument(session, specDocument());
    const retry = async (...overrides: string[]) => {
      const target = await findTarget(shell.database, runs[0]!.id);
      const change = await acceptedChange(shell.database, target.experiment, { overrides, takesSeeds: false });
      return requeue(session, target, { states: ['CRASHED'], endsPause: false, change });
    };
    const fail = () =>
      shell.database.query(
        `update runs set state = 'CRASHED', finished_at = now(), shrinks = 2 where experiment_id = $1`,
        [experiment.id],
      );
    await fail();
    expect((await retry()).counts).toEqual({ CRASHED: 1 });
    expect((await findRun(shell.database, runs[0]!.id)).shrinks).toBe(2);
    await fail();
    await retry('execution.memory_mib=4096');
    const [retried, other] = await Promise.all(runs.map(({ id }) => findRun(shell.database, id)));
    expect([retried!.shrinks, other!.shrinks]).toEqual([0, 2]);
    expect([retried!.state, other!.state]).toEqual(['QUEUED', 'CRASHED']);
    expect(retried!.execution.memory_mib).toBe(4096);
    await fail();
    await expect(retry('seeds=[0,1,2]')).rejects.toMatchObject({ code: 'REQUEST_CONFLICT' });
  });

  it('[P20] with what is complete changes nothing; [P05] with what is not there is an error', async () => {
    const { experiment, runs } = await submitDocument(session, specDocument());
    for (const { id } of runs) await finishRun(shell.database, id);
    const target = await findTarget(shell.database, experiment.id);
    expect(isComplete(target, null)).toBe(true);
    const missing = await shell.thaw('resume', 'exmaple', '--dry-run');
    expect(missing).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('exmaple') as string });
    const plan = await shell.thaw('resume', experiment.id, '--dry-run', '-o', 'json');
    expect(JSON.parse(plan.stdout)).toMatchObject({ runs: runs.map(({ id }) => ({ run: id, action: 'stays' })) });
  });
});

describe('[P03] going on with another spec', () => {
  it('is refused with the differences, of which the first twenty are told, and nothing is changed', async () => {
    const { experiment } = await submitDocument(session, specDocument());
    const many = Object.entries(experiment.resolved.variants['pool']!.simulators).flatMap(([name]) =>
      ['damping', 'acceleration', 'time_step', 'contact_force'].map((rule) => `simulators.${name}.rules.${rule}=0.3`),
    );
    const learning = ['learning_rate', 'clip', 'gamma', 'lambda', 'value_coefficient'];
    const all = [...many, ...learning.map((name) => `algorithm.${name}=0.123`), 'execution.priority=1'];
    const [, ...told] = await refusal(experiment.id, all);
    // All but the execution, which could change.
    expect(told.filter((line) => line.includes(' → '))).toHaveLength(20);
    expect(told.at(-1)).toBe(`  … and ${all.length - 1 - 20} more`);
    const few = await refusal(experiment.id, ['budget.rounds=9', 'seeds=[1,2]']);
    expect(few.slice(1)).toEqual(['  seeds [0,1] → [1,2]', '  budget.rounds 5 → 9']);
    const after = await findExperiment(shell.database, experiment.id);
    expect(after.resolved).toEqual(experiment.resolved);
    expect(await listRuns(shell.database, experiment.id)).toHaveLength(4);
  });

  it('that is a file points to what can be done instead', async () => {
    const { experiment } = await submitDocument(session, specDocument());
    const file = path.join(folder, 'other.json');
    writeFileSync(file, JSON.stringify({ ...specDocument(), name: 'other' }));
    const { exitCode, stderr } = await shell.thaw('resume', experiment.id, '--spec', file, '--dry-run');
    expect(exitCode).toBe(2);
    for (const words of ['name "example" → "other"', `thaw fork ${experiment.id}`, `thaw submit ${file}`]) {
      expect(stderr).toContain(words);
    }
  });
});

async function refusal(id: string, overrides: readonly string[]): Promise<string[]> {
  const error = await resumed(id, { overrides }).catch((reason: unknown) => reason as Error & { remedy: string });
  expect(error).toMatchObject({ code: 'REQUEST_CONFLICT', remedy: expect.stringContaining('thaw fork') as string });
  return (error as Error).message.split('\n');
}

describe('further seeds', () => {
  it('are runs after those that there are, whose finished equals are linked', async () => {
    const { experiment, runs } = await submitDocument(session, specDocument());
    const other = await submitDocument(session, specDocument(), ['name=other', 'seeds=[7]']);
    await finishRun(shell.database, other.runs[0]!.id);
    const text = await resumed(experiment.id, { overrides: ['seeds=[0,1,7]', 'execution.priority=1'] });
    expect(text).toContain('1 further seed: 7');
    const after = await listRuns(shell.database, experiment.id);
    expect(after.map(({ variant, seed, state }) => [variant, seed, state])).toEqual([
      ...runs.map(({ variant, seed }) => [variant, seed, 'QUEUED']),
      [other.runs[0]!.variant, 7, 'SKIPPED'],
      [other.runs[1]!.variant, 7, 'QUEUED'],
    ]);
    expect(after[4]!.reason).toContain(other.runs[0]!.id);
  });

  it('make it the experiment that the longer file is, and it stays the one that the shorter file was', async () => {
    const { experiment } = await submitDocument(session, specDocument());
    await resumed(experiment.id, { overrides: ['seeds=[0,1,7]'] });
    const longer = await submitDocument(session, specDocument(), ['seeds=[0,1,7]']);
    expect([longer.isNew, longer.experiment.id]).toEqual([false, experiment.id]);
    const shorter = await submitDocument(session, specDocument(), ['description="as it was"']);
    expect([shorter.isNew, shorter.experiment.id]).toEqual([false, experiment.id]);
    expect(shorter.experiment.resolved).toMatchObject({ description: 'as it was', seeds: [0, 1, 7] });
    // What was taken over is taken over as a whole.
    await resumed(experiment.id, { overrides: ['seeds=[0,1,7,8]'] });
    expect(await listRuns(shell.database, experiment.id)).toHaveLength(8);
  });

  it('are refused where another experiment has them already', async () => {
    const { experiment } = await submitDocument(session, specDocument());
    const longer = await submitDocument(session, specDocument(), ['seeds=[0,1,7]']);
    expect(longer.experiment.version).toBe(2);
    const growing = resumed(experiment.id, { overrides: ['seeds=[0,1,7]'] });
    await expect(growing).rejects.toMatchObject({
      code: 'REQUEST_CONFLICT',
      remedy: expect.stringContaining(longer.experiment.id) as string,
    });
    expect(await listRuns(shell.database, experiment.id)).toHaveLength(4);
  });
});

it('[P17] a dry run tells for each run what is reused, whether that is whole, what runs again and why', async () => {
  const { experiment, runs } = await submitDocument(session, specDocument());
  const [whole, broken, failed, waiting] = runs.map(({ id }) => id) as [string, string, string, string];
  const artifacts = createFolderStore(shell.artifacts);
  for (const [id, rounds] of [
    [whole, 2],
    [broken, 3],
  ] as const) {
    const token = await beginAttempt(shell.database, {
      runId: id,
      kind: 'train_round',
      round: 0,
      worker: 'w',
      fingerprint: {},
    });
    for (let round = 1; round <= rounds; round += 1) {
      const checkpoint = await artifacts.write(new TextEncoder().encode(`${id} ${round}`));
      await commitRound(shell.database, token, {
        round,
        envSteps: round * 1000,
        checkpoint,
        episodes: [],
        samples: null,
        members: [],
        costs: [],
        metrics: {},
        wallS: 1,
        peakRssMib: 100,
        segments: [],
        idleShares: [],
        peakGpuMib: null,
      });
      if (id === broken && round === 3) await artifacts.remove(checkpoint.hash, { untouchedSinceMs: Infinity });
    }
    await setRunState(shell.database, id, 'CANCELLED', 'cancelled by request');
  }
  await setRunState(shell.database, failed, 'FAILED', 'it broke');
  const { stdout } = await shell.thaw('resume', experiment.id, '--dry-run', '-o', 'json', '--set', 'seeds=[0,1,7]');
  const plan = JSON.parse(stdout) as { runs: { run: string; reruns: { step: string; round: number }[] }[] };
  expect(plan).toMatchObject({
    changes: ['1 further seed: 7'],
    runs: [
      {
        run: whole,
        action: 'goes on',
        rounds_reused: 2,
        checkpoint: { round: 2, flaw: null },
        repaired_from_round: null,
      },
      {
        run: broken,
        rounds_reused: 3,
        checkpoint: { round: 3, flaw: 'is missing' },
        repaired_from_round: 2,
        reason: 'cancelled by request',
      },
      { run: failed, action: 'stays', reason: expect.stringContaining('it broke') as string },
      { run: waiting, action: 'is open', checkpoint: null },
      { action: 'starts', reason: 'a further seed' },
      { action: 'starts', reason: 'a further seed' },
    ],
  });
  // Rounds 3 to 5 of 5; evaluated is every second round, that at the border included, and the last.
  expect(plan.runs[0]!.reruns).toEqual([
    { step: 'evaluate_panels', round: 2 },
    { step: 'train_round', round: 3 },
    { step: 'train_round', round: 4 },
    { step: 'evaluate_panels', round: 4 },
    { step: 'train_round', round: 5 },
    { step: 'evaluate_panels', round: 5 },
    { step: 'finish_run', round: 5 },
  ]);
  const table = await shell.thaw('resume', experiment.id, '--dry-run');
  expect(table.stdout).toMatch(/rounds 3–5, 3 evaluations, the final evaluation/);
  expect(table.stdout).toMatch(/missing: 1 round trained again from round 2/);
  expect(await statesOf(experiment.id)).toEqual(['CANCELLED', 'CANCELLED', 'FAILED', 'QUEUED']);
});
