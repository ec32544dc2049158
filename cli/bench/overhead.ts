import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ServiceSession } from '../services/service-session.ts';
import type { ValidSpec } from '../specs/spec-files.ts';
import { submitSpecs } from '../submission/submission.ts';
import { note } from '../terminal/terminal.ts';
import { BareRun } from './bare-run.ts';
import { inPrivateHome } from './private-home.ts';
import { machine, spreadOf, type BenchReport, type Spread } from './report.ts';
import { benchSpec, firstVariant } from './spec.ts';

/** About 5 s a round on the machine this was written on. */
const ENV_STEPS_OF_ROUND = 230_400;

/** A run from its submission to its last row. */
interface OrchestratedRun {
  readonly wallS: number;
  readonly envSteps: number;
  /** From the submission to the first attempt, which waits for nobody but us. */
  readonly startS: number;
  /** Time of the attempts by what they did, the starts of their process included. */
  readonly attemptsS: Readonly<Record<string, number>>;
  /** From the end of an attempt to the start of the next, in ms. */
  readonly gapsMs: readonly number[];
}

/** What the orchestration costs: a run under Temporal and Postgres over the same run in one process. */
export async function benchOverhead({
  repetitions,
  rounds,
}: {
  repetitions: number;
  rounds: number;
}): Promise<BenchReport> {
  const overrides = [`budget.rounds=${rounds}`, `budget.env_steps=${rounds * ENV_STEPS_OF_ROUND}`];
  return inPrivateHome(async (session) => {
    const bare: number[] = [];
    const orchestrated: OrchestratedRun[] = [];
    for (let seed = 0; seed < repetitions; seed += 1) {
      // Another seed each time: an equal run would be skipped.
      const spec = await benchSpec('learning', [...overrides, `seeds=[${seed}]`]);
      const alone = await bareRun(session, spec, seed);
      note(`seed ${seed}, bare: ${alone.wallS.toFixed(2)} s`);
      const run = await orchestratedRun(session, spec);
      note(`seed ${seed}, orchestrated: ${run.wallS.toFixed(2)} s`);
      if (run.envSteps !== alone.envSteps)
        throw new ThawError('DEFECT_INVARIANT', `bare it took ${alone.envSteps} env steps, otherwise ${run.envSteps}`);
      bare.push(alone.wallS);
      orchestrated.push(run);
    }
    return report({ bare, orchestrated, rounds });
  });
}

async function bareRun({ configuration }: ServiceSession, spec: ValidSpec, seed: number) {
  const run = new BareRun(firstVariant(spec), { seed, artifacts: path.join(configuration.home, 'bare') });
  const startedAt = performance.now();
  // How well chance does is measured once for all seeds, as it is stored in the database.
  await run.run(seed === 0);
  return { wallS: (performance.now() - startedAt) / 1000, envSteps: run.envSteps };
}

async function orchestratedRun(session: ServiceSession, spec: ValidSpec): Promise<OrchestratedRun> {
  const startedAt = performance.now();
  const startedMs = Date.now();
  const [submission] = await submitSpecs(session, [spec]);
  const { id } = submission!.experiment;
  for (;;) {
    const runs = await listRuns(session.database, id);
    if (runs.every((run) => isFinalState(run.state))) break;
    await sleep(50);
  }
  const wallS = (performance.now() - startedAt) / 1000;
  return { wallS, ...(await attemptTimes(session, id, startedMs)), envSteps: await costOf(session, id) };
}

async function attemptTimes({ database }: ServiceSession, experimentId: string, startedMs: number) {
  const { rows } = await database.query(
    `select a.kind, a.started_at, a.ended_at from attempts a join runs r on r.id = a.run_id
      where r.experiment_id = $1 order by a.number`,
    [experimentId],
  );
  const attemptsS: Record<string, number> = {};
  const gapsMs: number[] = [];
  let before: number | null = null;
  for (const row of rows) {
    const [kind, start, end] = [row['kind'] as string, Number(row['started_at']), Number(row['ended_at'])];
    attemptsS[kind] = (attemptsS[kind] ?? 0) + (end - start) / 1000;
    if (before !== null) gapsMs.push(start - before);
    before = end;
  }
  return { attemptsS, gapsMs, startS: (Number(rows[0]!['started_at']) - startedMs) / 1000 };
}

async function costOf({ database }: ServiceSession, experimentId: string): Promise<number> {
  const { rows } = await database.query(
    'select sum(c.env_steps)::bigint as steps from costs c join runs r on r.id = c.run_id where r.experiment_id = $1',
    [experimentId],
  );
  return rows[0]!['steps'] as number;
}

function report({
  bare,
  orchestrated,
  rounds,
}: {
  bare: readonly number[];
  orchestrated: readonly OrchestratedRun[];
  rounds: number;
}): BenchReport {
  const over = (value: (run: OrchestratedRun) => number): Spread => spreadOf(orchestrated.map(value));
  const kinds = Object.keys(orchestrated[0]!.attemptsS);
  return {
    name: 'overhead',
    ratios: { 'orchestrated over bare': spreadOf(orchestrated.map(({ wallS }, index) => wallS / bare[index]!)) },
    ours: {
      'orchestrated s': over(({ wallS }) => wallS),
      'bare s': spreadOf(bare),
      rounds,
      'orchestrated, from submission to first attempt s': over(({ startS }) => startS),
      ...Object.fromEntries(kinds.map((kind) => [`orchestrated, ${kind} s`, over((run) => run.attemptsS[kind] ?? 0)])),
      'orchestrated, between attempts ms': spreadOf(orchestrated.flatMap(({ gapsMs }) => gapsMs)),
      'orchestrated, attempts of a run': over(({ gapsMs }) => gapsMs.length + 1),
    },
    peers: [],
    n: orchestrated.length,
    machine: machine(),
  };
}
