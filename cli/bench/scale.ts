import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sharedDataFolder } from '../../infra/services/postgres-data.ts';
import type { ServiceSession } from '../services/service-session.ts';
import { submitSpecs } from '../submission/submission.ts';
import { note } from '../terminal/terminal.ts';
import { inPrivateHome } from './private-home.ts';
import { descendantsOf, memoryMib, processesNaming, processorS } from './process-table.ts';
import { machine, type BenchReport } from './report.ts';
import { benchSpec } from './spec.ts';
import { serviceProcess } from './victims.ts';

const POLL_MS = 250;
const PARTS = 10;
const MIB = 2 ** 20;

/** What everything takes at one moment. */
interface Sample {
  readonly 'runs over': number;
  readonly 'runs/min since the last': number;
  readonly 'worker MiB': number;
  readonly 'training processes MiB': number;
  readonly 'Temporal MiB': number;
  readonly 'Postgres MiB': number;
  readonly 'Temporal file MiB': number;
  readonly 'Postgres database MiB': number;
}

/** One experiment of many runs, each of one short round. */
export async function benchScale({
  runs,
  concurrency,
}: {
  runs: number;
  concurrency: readonly number[];
}): Promise<BenchReport> {
  const ours: Record<string, unknown> = {};
  const ratios: Record<string, number> = {};
  let holds = true;
  for (const atOnce of concurrency) {
    const marks: string[] = [];
    const measured = await inPrivateHome(async (session) => {
      const { home } = session.configuration;
      marks.push(home, await sharedDataFolder(home));
      return measure(session, { runs, atOnce });
    });
    const leftOver = marks.flatMap(processesNaming).length;
    const [early, late] = [measured.samples[1] ?? measured.samples[0]!, measured.samples.at(-1)!];
    const name = `${atOnce} at once`;
    for (const what of ['runs/min since the last', 'worker MiB', 'Temporal MiB', 'Postgres MiB'] as const)
      ratios[`${name}: ${what}, last tenth over first`] = late[what] / early[what];
    ours[`${name}: runs a minute`] = measured.runsPerMinute;
    ours[`${name}: states`] = measured.states;
    ours[`${name}: processes left over`] = leftOver;
    ours[`${name}: seconds of a run`] = measured.secondsOfRun;
    ours[`${name}: processor seconds of a run`] = measured.processorSecondsOfRun;
    for (const [index, sample] of measured.samples.entries()) ours[`${name}, sample ${index}`] = sample;
    holds &&= leftOver === 0 && measured.states['SUCCEEDED'] === runs;
  }
  return { name: 'scale', holds, ratios, ours, peers: [], n: runs, machine: machine() };
}

async function measure(session: ServiceSession, { runs, atOnce }: { runs: number; atOnce: number }) {
  const spec = await benchSpec('short', [`seeds.count=${runs}`, `execution.max_concurrent_runs=${atOnce}`]);
  const samples = [await sample(session, { runsOver: 0, runsPerMinute: 0 })];
  const before = processorTimes(session);
  const startedAt = performance.now();
  const [submission] = await submitSpecs(session, [spec]);
  const { id } = submission!.experiment;
  let [sampledAt, sampled] = [performance.now(), 0];
  for (let part = 1; part <= PARTS;) {
    const runsOver = await countOver(session, id);
    if (runsOver < Math.floor((part * runs) / PARTS)) {
      await sleep(POLL_MS);
      continue;
    }
    const runsPerMinute = (60_000 * (runsOver - sampled)) / (performance.now() - sampledAt);
    [sampledAt, sampled] = [performance.now(), runsOver];
    samples.push(await sample(session, { runsOver, runsPerMinute }));
    note(`${runsOver} of ${runs} runs over, ${runsPerMinute.toFixed(0)} a minute`);
    part += 1;
  }
  const minutes = (performance.now() - startedAt) / 60_000;
  const after = processorTimes(session);
  return {
    samples,
    runsPerMinute: runs / minutes,
    states: await statesOf(session, id),
    secondsOfRun: await secondsOfRun(session, id),
    processorSecondsOfRun: Object.fromEntries(
      Object.entries(after).map(([name, seconds]) => [name, (seconds - before[name]!) / runs]),
    ),
  };
}

async function sample(
  { configuration, database }: ServiceSession,
  { runsOver, runsPerMinute }: { runsOver: number; runsPerMinute: number },
): Promise<Sample> {
  const { home } = configuration;
  const memoryOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + memoryMib(pid, 'Pss'), 0);
  const worker = serviceProcess(home, 'worker')!;
  const withChildren = (name: string): number[] => {
    const pid = serviceProcess(home, name)!;
    return [pid, ...descendantsOf(pid)];
  };
  const { rows } = await database.query('select pg_database_size(current_database()) as bytes');
  const file = path.join(home, 'temporal/temporal.db');
  return {
    'runs over': runsOver,
    'runs/min since the last': runsPerMinute,
    'worker MiB': memoryOf([worker]),
    'training processes MiB': memoryOf(descendantsOf(worker)),
    'Temporal MiB': memoryOf(withChildren('temporal')),
    'Postgres MiB': memoryOf(withChildren('postgres')),
    'Temporal file MiB': [file, `${file}-wal`].reduce((sum, each) => sum + sizeOf(each), 0) / MIB,
    'Postgres database MiB': (rows[0]!['bytes'] as number) / MIB,
  };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Seconds so far, of services with all that they have started. */
function processorTimes({ configuration }: ServiceSession): Record<string, number> {
  const { home } = configuration;
  const total = (pid: number): number => processorS(pid).own + processorS(pid).ended;
  const all = (name: string): number => {
    const pid = serviceProcess(home, name)!;
    return [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + total(each), 0);
  };
  const worker = processorS(serviceProcess(home, 'worker')!).own;
  return {
    worker,
    'training processes': all('worker') - worker,
    Temporal: all('temporal'),
    Postgres: all('postgres'),
  };
}

async function countOver({ database }: ServiceSession, id: string): Promise<number> {
  const { rows } = await database.query(
    'select count(*) as count from runs where experiment_id = $1 and finished_at is not null',
    [id],
  );
  return rows[0]!['count'] as number;
}

async function statesOf({ database }: ServiceSession, id: string): Promise<Record<string, number>> {
  const { rows } = await database.query(
    'select state, count(*) as count from runs where experiment_id = $1 group by 1 order by 1',
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row['state'] as string, row['count'] as number]));
}

/** Means over the runs: inside of attempts by what they did, and between them. */
async function secondsOfRun({ database }: ServiceSession, id: string): Promise<Record<string, number>> {
  const { rows } = await database.query(
    `with of_experiment as (select * from runs where experiment_id = $1),
          parts as (
            select a.kind as part, sum(extract(epoch from a.ended_at - a.started_at)) as seconds
              from attempts a join of_experiment r on r.id = a.run_id group by 1
            union all
            select 'from first attempt to end', sum(extract(epoch from finished_at - started_at)) from of_experiment)
     select part, seconds::float8 / (select count(*) from of_experiment) as seconds from parts order by 1`,
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row['part'] as string, row['seconds'] as number]));
}
