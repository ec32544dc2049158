import type { CollapseScores } from '../../learning/collapse.ts';
import type { CheckpointName, EvaluationRecord, TrainingEpisodesRecord } from '../../schemas/records.ts';
import { insertArtifact, type ArtifactRecord } from './artifact-rows.ts';
import { commitInAttempt, type AttemptEnd, type AttemptToken } from './attempt-rows.ts';
import { insertCosts, type Cost } from './cost-rows.ts';
import type { Database, Queryable } from './database.ts';
import { insertSimulators, type SimulatorRecord } from './pool-rows.ts';
import type { MemberPart } from './training-evidence-rows.ts';

/** A trained round: rows and the checkpoint that they lead to become visible together. */
export interface RoundCommit {
  /** Rounds completed, this one included. */
  readonly round: number;
  /** Env steps of the run so far. */
  readonly envSteps: number;
  readonly checkpoint: { readonly hash: string; readonly bytes: number };
  readonly episodes: readonly TrainingEpisodesRecord[];
  readonly members: readonly MemberPart[];
  readonly costs: readonly Cost[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly wallS: number;
  readonly peakRssMib: number;
}

/** One checkpoint evaluated on every panel. */
export interface EvaluationCommit {
  readonly round: number;
  readonly checkpoint: CheckpointName;
  readonly evaluations: readonly EvaluationRecord[];
  readonly simulators: readonly SimulatorRecord[];
  readonly scores: CollapseScores;
  readonly costs: readonly Cost[];
}

export interface ResultCommit {
  readonly envSteps: number;
  readonly bestRound: number | null;
  readonly peakRssMib: number;
  readonly wallS: number;
  readonly programVersion: string;
  readonly artifacts: readonly ArtifactRecord[];
}

export async function commitRound(
  database: Database,
  token: AttemptToken,
  commit: RoundCommit,
  end: AttemptEnd | null = null,
): Promise<void> {
  const { runId } = token;
  await commitInAttempt(database, token, end, async (client) => {
    await client.query(
      `insert into rounds (run_id, round, env_steps, checkpoint_hash, wall_s, peak_rss_mib) values ($1, $2, $3, $4, $5, $6)
       on conflict (run_id, round) do nothing`,
      [runId, commit.round, commit.envSteps, commit.checkpoint.hash, commit.wallS, commit.peakRssMib],
    );
    await insertArtifact(client, runId, commit.round, { kind: 'checkpoint', ...commit.checkpoint });
    for (const [position, row] of commit.episodes.entries()) {
      await client.query(
        `insert into training_episodes (run_id, round, position, simulator_hash, name, episodes, return_mean, return_std, length_mean, success_rate,
                                        visitation, positive_value_loss, value_mean, discounted_return_max, shortfall)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict (run_id, round, position) do nothing`,
        [
          runId,
          commit.round,
          position,
          row.simulatorHash,
          row.name,
          row.episodes,
          row.returnMean,
          row.returnStd,
          row.lengthMean,
          row.successRate,
          JSON.stringify(row.visitation),
          row.scores?.positiveValueLoss,
          row.scores?.valueMean,
          row.scores?.discountedReturnMax,
          row.scores?.shortfall,
        ],
      );
    }
    for (const { name, episodes, returnMean } of commit.members) {
      await client.query(
        `insert into member_episodes (run_id, round, name, episodes, return_mean) values ($1, $2, $3, $4, $5)
         on conflict do nothing`,
        [runId, commit.round, name, episodes, returnMean],
      );
    }
    await insertCosts(client, runId, commit.costs);
    const names = Object.keys(commit.metrics);
    await client.query(
      `insert into metrics (run_id, round, name, value) select $1, $2, * from unnest($3::text[], $4::float8[])
       on conflict (run_id, round, name) do nothing`,
      [runId, commit.round, names, names.map((name) => floatText(commit.metrics[name]!))],
    );
    await client.query(
      'update runs set rounds_completed = greatest(rounds_completed, $2), env_steps = greatest(env_steps, $3) where id = $1',
      [runId, commit.round, commit.envSteps],
    );
  });
}

export async function commitEvaluation(
  database: Database,
  token: AttemptToken,
  commit: EvaluationCommit,
  end: AttemptEnd | null = null,
): Promise<void> {
  await commitInAttempt(database, token, end, async (client) => {
    await insertSimulators(client, commit.simulators);
    const positions = new Map<string, number>();
    for (const evaluation of commit.evaluations) {
      const position = positions.get(evaluation.panel) ?? 0;
      positions.set(evaluation.panel, position + 1);
      await insertEvaluation(client, token.runId, commit, evaluation, position);
    }
    await insertScores(client, token.runId, commit);
    await insertCosts(client, token.runId, commit.costs);
  });
}

async function insertEvaluation(
  client: Queryable,
  runId: string,
  { round, checkpoint }: EvaluationCommit,
  evaluation: EvaluationRecord,
  position: number,
): Promise<void> {
  const key = [runId, round, checkpoint, evaluation.panel, position];
  await client.query(
    `insert into evaluations (run_id, round, checkpoint, panel, position, name, simulator_hash, reference_hash, weight,
                              episodes, return_mean, return_std, length_mean, success_rate, visitation_divergence)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing`,
    [
      ...key,
      evaluation.name,
      evaluation.simulatorHash,
      evaluation.referenceHash,
      evaluation.weight,
      evaluation.returns.length,
      evaluation.returnMean,
      evaluation.returnStd,
      evaluation.lengthMean,
      evaluation.successRate,
      evaluation.visitationDivergence,
    ],
  );
  await client.query(
    `insert into episodes (run_id, round, checkpoint, panel, position, episode, return, length, success)
     select $1, $2, $3, $4, $5, e.episode - 1, e.return, e.length, e.success
       from unnest($6::float8[], $7::int[], $8::boolean[]) with ordinality as e (return, length, success, episode)
     on conflict do nothing`,
    [...key, evaluation.returns.map(floatText), evaluation.lengths, evaluation.successes],
  );
  for (const { feature, counts } of evaluation.visitation) {
    await client.query(
      `insert into visitations (run_id, round, checkpoint, panel, position, feature, counts)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [...key, feature, counts],
    );
  }
}

async function insertScores(client: Queryable, runId: string, commit: EvaluationCommit): Promise<void> {
  const { scores } = commit;
  await client.query(
    `insert into checkpoint_scores (run_id, round, checkpoint, train_return, validation_return, heldout_return, worst_heldout,
                                    cvar_heldout, heldout_std, collapse_gap, relative_gap, verdict, train_gain, heldout_gain, visitation_divergence)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing`,
    [
      runId,
      commit.round,
      commit.checkpoint,
      scores.trainReturn,
      scores.validationReturn,
      scores.heldoutReturn,
      scores.worstHeldout,
      scores.cvarHeldout,
      scores.heldoutStd,
      scores.collapseGap,
      scores.relativeGap,
      scores.verdict,
      scores.trainGain,
      scores.heldoutGain,
      scores.visitationDivergence,
    ],
  );
}

/** The explicit record of completion: only with it a run is SUCCEEDED. */
export async function commitResult(
  database: Database,
  token: AttemptToken,
  commit: ResultCommit,
  end: AttemptEnd | null = null,
): Promise<void> {
  const { runId } = token;
  await commitInAttempt(database, token, end, async (client) => {
    const round = await client.query('select rounds_completed from runs where id = $1', [runId]);
    for (const artifact of commit.artifacts) {
      await insertArtifact(client, runId, round.rows[0]!['rounds_completed'] as number, artifact);
    }
    await client.query(
      `insert into results (run_id, env_steps, best_round, peak_rss_mib, wall_s, program_version) values ($1, $2, $3, $4, $5, $6)
       on conflict (run_id) do nothing`,
      [runId, commit.envSteps, commit.bestRound, commit.peakRssMib, commit.wallS, commit.programVersion],
    );
    await client.query(`update runs set state = 'SUCCEEDED', reason = null, finished_at = now() where id = $1`, [
      runId,
    ]);
  });
}

/** In an array literal the driver would write NaN and infinities as JSON does, as null; as text Postgres reads them. */
function floatText(value: number): string {
  return String(value);
}
