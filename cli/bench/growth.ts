import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import { takeServices, type ServiceSession } from '../services/service-session.ts';
import { submitSpecs } from '../submission/submission.ts';
import { note } from '../terminal/terminal.ts';
import { inPrivateHome } from './private-home.ts';
import { machine, type BenchReport } from './report.ts';
import { benchSpec } from './spec.ts';

/** An eighth of the default update block: what grows with the rounds does not depend on their size. */
const ENV_STEPS_OF_ROUND = 6_400;
/** The shortest run has a tenth of the rounds of the longest. */
const SHORTEST_SHARE = 10;
/** What a round may cost more in a long run than in a short one. */
const RATIO_MAX = 1.05;

/** What a run has left behind, by what it is counted in. */
type Growth = Readonly<Record<string, number>>;

/** Whether the cost of a run is a sum over its rounds: three lengths, and what a further round costs between them. */
export async function benchGrowth({ rounds }: { rounds: number }): Promise<BenchReport> {
  const shortest = Math.max(2, Math.round(rounds / SHORTEST_SHARE));
  const lengths = [shortest, Math.round((shortest + rounds) / 2), rounds];
  const grown = await inPrivateHome(async (session) => {
    // The first run of all measures what is measured once, and makes what is made once.
    await runFor(session, shortest, 0);
    const all: Growth[] = [];
    for (const [index, length] of lengths.entries()) {
      all.push(await runFor(session, length, index + 1));
      note(`${length} rounds: ${JSON.stringify(totals(all.at(-1)!))}`);
    }
    return all;
  });
  return report(lengths, grown);
}

function report(lengths: readonly number[], grown: readonly Growth[]): BenchReport {
  const [short, middle, long] = grown.map(totals) as [Growth, Growth, Growth];
  const [first, second, third] = lengths as [number, number, number];
  const ratios: Record<string, number> = {};
  for (const what of Object.keys(long)) {
    ratios[`${what} a round, ${third} rounds over ${first}`] = long[what]! / third / (short[what]! / first);
    ratios[`${what} a further round, ${second}–${third} over ${first}–${second}`] =
      (long[what]! - middle[what]!) / (third - second) / ((middle[what]! - short[what]!) / (second - first));
  }
  return {
    name: 'growth',
    holds: Object.values(ratios).every((ratio) => ratio <= RATIO_MAX),
    ratios,
    ours: Object.fromEntries(
      lengths.flatMap((length, index) => [
        [`${length} rounds, a round`, perRound(totals(grown[index]!), length)],
        [`${length} rounds, by table, a round`, perRound(tables(grown[index]!), length)],
      ]),
    ),
    peers: [],
    n: lengths.length,
    machine: machine(),
  };
}

const isOfTable = (what: string): boolean => what.includes('.');
const totals = (growth: Growth): Growth =>
  Object.fromEntries(Object.entries(growth).filter(([what]) => !isOfTable(what)));
const tables = (growth: Growth): Growth =>
  Object.fromEntries(Object.entries(growth).filter(([what, value]) => isOfTable(what) && value !== 0));
const perRound = (growth: Growth, rounds: number): Growth =>
  Object.fromEntries(Object.entries(growth).map(([what, value]) => [what, value / rounds]));

/** Runs so many rounds under a seed of its own. @returns what is there more than before */
async function runFor(session: ServiceSession, rounds: number, seed: number): Promise<Growth> {
  const spec = await benchSpec('short', [
    `seeds=[${seed}]`,
    `budget={"rounds":${rounds},"env_steps":${rounds * ENV_STEPS_OF_ROUND}}`,
    'algorithm.parallel_environments=256',
    'evaluation.every_rounds=10',
  ]);
  const before = await stored(session);
  const [submission] = await submitSpecs(session, [spec]);
  for (;;) {
    const runs = await listRuns(session.database, submission!.experiment.id);
    if (runs.every(({ state }) => isFinalState(state))) break;
    await sleep(200);
  }
  const after = await stored(session);
  return {
    'Temporal events': await eventsOf(session, submission!.runs[0]!.id),
    ...Object.fromEntries(Object.entries(after).map(([what, value]) => [what, value - (before[what] ?? 0)])),
  };
}

/** Rows and their bytes, of every table and in all, and bytes of the folder of artifacts. */
async function stored({ configuration, database }: ServiceSession): Promise<Growth> {
  const { rows: names } = await database.query(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const growth: Record<string, number> = { rows: 0, 'bytes of rows': 0 };
  for (const row of names) {
    const name = row['name'] as string;
    const { rows } = await database.query(
      `select count(*) as count, coalesce(sum(pg_column_size(t.*)), 0)::bigint as bytes from "${name}" t`,
    );
    const [count, bytes] = [rows[0]!['count'] as number, rows[0]!['bytes'] as number];
    growth[`${name}.rows`] = count;
    growth[`${name}.bytes`] = bytes;
    growth['rows']! += count;
    growth['bytes of rows']! += bytes;
  }
  return { ...growth, 'bytes of artifacts': folderBytes(configuration.artifacts) };
}

function folderBytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    statSync(path.join(folder, name)),
  );
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

/** Events of a run's workflow and of those that it went on from. */
async function eventsOf({ configuration }: ServiceSession, runId: string): Promise<number> {
  const services = await takeServices(configuration);
  services.release();
  const connection = await Connection.connect({ address: services.temporalAddress });
  const client = new Client({ connection, namespace: configuration.temporalNamespace });
  let events = 0;
  let workflowRunId: string | undefined;
  do {
    const history = await client.workflow.getHandle(`run/${runId}`, workflowRunId).fetchHistory();
    events += history.events?.length ?? 0;
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    workflowRunId = started?.continuedExecutionRunId || undefined;
  } while (workflowRunId !== undefined);
  await connection.close();
  return events;
}
