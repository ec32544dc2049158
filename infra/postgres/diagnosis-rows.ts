import type { FinalScores, PoolDecision, Replay, RunHistory, TrainedRound } from '../../learning/diagnosis/history.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import type { Database, Row } from './database.ts';
import { insertRunEvent } from './event-rows.ts';
import { grouped } from './grouped-rows.ts';

/** What is known of a run, with what other measures say of it. */
export interface DiagnosedRun extends RunHistory {
  readonly variant: string;
  readonly alsoSeen: AlsoSeen;
}

/** Measured at the end of a run; null where it was not. */
export interface AlsoSeen {
  readonly riseThenFall: boolean | null;
  /** How far the held-out return fell after its best. */
  readonly fall: number | null;
  /** Small changes of a rule that cost much. */
  readonly cliffs: readonly { readonly name: string; readonly factor: number | null; readonly loss: number }[];
}

/** A SKIPPED run is known by the rows of the run that it is equal to. */
const SOURCE = `(select id, coalesce(same_as, id) as source_id, variant, seed from runs where experiment_id = $1) r`;

/** By part of a history: the rows of all runs of an experiment, in the order in which the part lists them. */
const PARTS = {
  rounds: `t.round, t.env_steps, t.wall_s from ${SOURCE} join rounds t on t.run_id = r.source_id order by t.round`,
  trained: `t.round, t.name, t.simulator_hash, t.episodes, t.return_mean, t.return_std
    from ${SOURCE} join training_episodes t on t.run_id = r.source_id order by t.round, t.position`,
  evaluations: `t.round, t.validation_return, t.heldout_return
    from ${SOURCE} join checkpoint_scores t on t.run_id = r.source_id and t.checkpoint = 'round' order by t.round`,
  heldout: `t.round, t.position, array_agg(t.return order by t.episode) as returns
    from ${SOURCE} join episodes t on t.run_id = r.source_id and t.checkpoint = 'round' and t.panel = 'test'
    group by r.id, t.round, t.position order by t.round, t.position`,
  pools: `t.round, t.name, t.simulator_hash, t.weight, t.reason, t.randomization::text <> '{}' as is_randomized
    from ${SOURCE} join pools t on t.run_id = r.source_id order by t.round, t.position`,
  entered: `t.round, s.simulator, t.is_from_failure from ${SOURCE}
    join lateral (select simulator_hash, min(round) as round, bool_or(failure is not null) as is_from_failure
                    from pools where run_id = r.source_id group by simulator_hash) t on t.round > 0
    join simulators s on s.hash = t.simulator_hash
   where exists (select from failures f where f.run_id = r.source_id)
   order by t.round, t.simulator_hash collate "C"`,
  failing: `t.round, s.simulator from ${SOURCE}
    join failures t on t.run_id = r.source_id join simulators s on s.hash = t.simulator_hash order by t.round, t.position`,
  attempts: `t.number, t.kind, t.round, t.outcome, t.peak_rss_mib
    from ${SOURCE} join attempts t on t.run_id = r.source_id and t.ended_at is not null order by t.number`,
  finals: `t.verdict, t.train_gain, t.heldout_gain, t.heldout_return
    from ${SOURCE} join checkpoint_scores t on t.run_id = r.source_id and t.checkpoint = 'last' order by t.round desc`,
  replays: `t.kind, t.message
    from ${SOURCE} join events t on t.run_id = r.source_id and t.kind like 'replay\\_%' order by t.id desc`,
  results: `t.rise_then_fall, t.fall from ${SOURCE} join results t on t.run_id = r.source_id`,
  cliffs: `t.name, t.factor, t.loss
    from ${SOURCE} join sensitivities t on t.run_id = r.source_id and t.is_cliff order by t.kind, t.position`,
} as const;

type Part = keyof typeof PARTS;
type RunRows = (part: Part, runId: string) => readonly Row[];

/** Everything that diagnoses look at, of every run of an experiment, variant by variant in the order of the spec. */
export async function listDiagnosedRuns(database: Database, experimentId: string): Promise<DiagnosedRun[]> {
  const runs = await database.query(
    `select r.id, r.variant, r.seed from runs r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
      where r.experiment_id = $1 order by v.position, r.seed`,
    [experimentId],
  );
  const parts = new Map<Part, Map<string, Row[]>>();
  for (const part of Object.keys(PARTS) as Part[]) parts.set(part, await rowsByRun(database, experimentId, part));
  const rowsOf: RunRows = (part, runId) => parts.get(part)!.get(runId) ?? [];
  return runs.rows.map((row) => ({
    ...historyFromRows(rowsOf, row['id'] as string, row['seed'] as number),
    variant: row['variant'] as string,
    alsoSeen: alsoSeenFromRows(rowsOf, row['id'] as string),
  }));
}

async function rowsByRun(database: Database, experimentId: string, part: Part): Promise<Map<string, Row[]>> {
  const { rows } = await database.query(`select r.id as run_id, ${PARTS[part]}`, [experimentId]);
  return grouped(rows, (row) => row['run_id'] as string);
}

function historyFromRows(rowsOf: RunRows, runId: string, seed: number): RunHistory {
  const heldout = grouped(rowsOf('heldout', runId), roundOf);
  return {
    runId,
    seed,
    rounds: roundsFromRows(rowsOf('rounds', runId), rowsOf('trained', runId)),
    evaluations: rowsOf('evaluations', runId).map((row) => ({
      round: roundOf(row),
      validationReturn: row['validation_return'] as number | null,
      heldoutReturn: row['heldout_return'] as number | null,
      heldoutEpisodes: (heldout.get(roundOf(row)) ?? []).map(({ returns }) => returns as number[]),
    })),
    pools: poolsFromRows(rowsOf('pools', runId)),
    entered: rowsOf('entered', runId).map((row) => ({
      ...datedFromRow(row),
      isFromFailure: row['is_from_failure'] as boolean,
    })),
    failing: rowsOf('failing', runId).map(datedFromRow),
    attempts: rowsOf('attempts', runId).map((row) => ({
      number: row['number'] as number,
      kind: row['kind'] as string,
      round: roundOf(row),
      outcome: row['outcome'] as string,
      peakRssMib: row['peak_rss_mib'] as number | null,
    })),
    last: finalFromRow(rowsOf('finals', runId)[0]),
    replay: replayFromRow(rowsOf('replays', runId)[0]),
  };
}

/** Rows hold the env steps of the run so far; a round's own are the difference. */
function roundsFromRows(rows: readonly Row[], trained: readonly Row[]): TrainedRound[] {
  const simulators = grouped(trained, roundOf);
  return rows.map((row, index) => ({
    round: roundOf(row),
    envSteps: (row['env_steps'] as number) - ((rows[index - 1]?.['env_steps'] as number | undefined) ?? 0),
    wallS: row['wall_s'] as number,
    simulators: (simulators.get(roundOf(row)) ?? []).map((simulator) => ({
      name: simulator['name'] as string,
      simulatorHash: simulator['simulator_hash'] as string,
      episodes: simulator['episodes'] as number,
      returnMean: simulator['return_mean'] as number,
      returnStd: simulator['return_std'] as number,
    })),
  }));
}

function poolsFromRows(rows: readonly Row[]): PoolDecision[] {
  return [...grouped(rows, roundOf)].map(([round, entries]) => ({
    round,
    entries: entries.map((entry) => ({
      name: entry['name'] as string,
      simulatorHash: entry['simulator_hash'] as string,
      weight: entry['weight'] as number,
      reason: entry['reason'] as string,
      isRandomized: entry['is_randomized'] as boolean,
    })),
  }));
}

function datedFromRow(row: Row): { round: number; simulator: SimulatorData } {
  return { round: roundOf(row), simulator: row['simulator'] as SimulatorData };
}

function finalFromRow(row: Row | undefined): FinalScores | null {
  if (row === undefined) return null;
  return {
    verdict: row['verdict'] as FinalScores['verdict'],
    trainGain: row['train_gain'] as number | null,
    heldoutGain: row['heldout_gain'] as number | null,
    heldoutReturn: row['heldout_return'] as number | null,
  };
}

function replayFromRow(row: Row | undefined): Replay | null {
  if (row === undefined) return null;
  const outcome = (row['kind'] as string).slice('replay_'.length) as Replay['outcome'];
  return { outcome, summary: row['message'] as string };
}

function alsoSeenFromRows(rowsOf: RunRows, runId: string): AlsoSeen {
  const [result] = rowsOf('results', runId);
  return {
    riseThenFall: (result?.['rise_then_fall'] as boolean | null | undefined) ?? null,
    fall: (result?.['fall'] as number | null | undefined) ?? null,
    cliffs: rowsOf('cliffs', runId).map((row) => ({
      name: row['name'] as string,
      factor: row['factor'] as number | null,
      loss: row['loss'] as number,
    })),
  };
}

/** Writes into the log of a run what came of playing a round again; `listDiagnosedRuns` reads the newest. */
export async function insertReplay(database: Database, runId: string, { outcome, summary }: Replay): Promise<void> {
  await insertRunEvent(database, runId, `replay_${outcome}`, summary);
}

const roundOf = (row: Row): number => row['round'] as number;
