import type { CheckpointScores } from '../../learning/measures/checkpoint-scores.ts';
import type { CheckpointName, EvaluationRecord } from '../../schemas/records.ts';
import { commitInAttempt, type AttemptEnd, type AttemptToken } from './attempt-rows.ts';
import { insertCosts, type Cost } from './cost-rows.ts';
import type { Database, Queryable } from './database.ts';
import { floatText } from './float-text.ts';
import { insertSimulators, type SimulatorRecord } from './pool-rows.ts';

/** One checkpoint evaluated on every panel. */
export interface EvaluationCommit {
  readonly round: number;
  readonly checkpoint: CheckpointName;
  readonly evaluations: readonly EvaluationRecord[];
  readonly simulators: readonly SimulatorRecord[];
  readonly scores: CheckpointScores;
  readonly costs: readonly Cost[];
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
                                    cvar_heldout, heldout_std, collapse_gap, relative_gap, verdict, train_gain, heldout_gain,
                                    visitation_divergence, zero_variance_share, policy_entropy, dwelling, indifference)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) on conflict do nothing`,
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
      scores.zeroVarianceShare,
      scores.policyEntropy,
      scores.dwelling,
      scores.indifference,
    ],
  );
}
