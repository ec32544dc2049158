import type { SampleColumns } from '../../learning/rollout/sample-log.ts';
import type { ArtifactReference } from '../artifacts/artifact-store.ts';
import type { TrainingEpisodesRecord } from '../../schemas/records.ts';
import { insertArtifact, insertReplaySegments } from './artifact-rows.ts';
import { commitInAttempt, type AttemptEnd, type AttemptToken } from './attempt-rows.ts';
import { insertCosts, type Cost } from './cost-rows.ts';
import type { Database } from './database.ts';
import { insertSamples } from './episode-sample-rows.ts';
import { floatText } from './float-text.ts';
import type { MemberPart } from './training-evidence-rows.ts';

/** A trained round: rows and the checkpoint that they lead to become visible together. */
export interface RoundCommit {
  /** Rounds completed, this one included. */
  readonly round: number;
  /** Env steps of the run so far. */
  readonly envSteps: number;
  readonly checkpoint: ArtifactReference;
  /** What the checkpoint lists of former blocks of experience. */
  readonly segments: readonly ArtifactReference[];
  readonly episodes: readonly TrainingEpisodesRecord[];
  /** Null where nobody asked for them. */
  readonly samples: SampleColumns | null;
  readonly members: readonly MemberPart[];
  readonly costs: readonly Cost[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly wallS: number;
  readonly peakRssMib: number;
  /** Most memory that arrays held on a GPU; null without one. */
  readonly peakGpuMib: number | null;
  /** Share of the round for which each of several samplers waited; empty for one. */
  readonly idleShares: readonly number[];
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
      `insert into rounds (run_id, round, env_steps, checkpoint_hash, wall_s, peak_rss_mib, peak_gpu_mib, sampler_idle_shares)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (run_id, round) do nothing`,
      [
        runId,
        commit.round,
        commit.envSteps,
        commit.checkpoint.hash,
        commit.wallS,
        commit.peakRssMib,
        commit.peakGpuMib,
        commit.idleShares,
      ],
    );
    await insertArtifact(client, runId, commit.round, { kind: 'checkpoint', ...commit.checkpoint });
    await insertReplaySegments(client, runId, commit.round, commit.segments);
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
    if (commit.samples !== null)
      await insertSamples(client, runId, { round: commit.round, source: 'training' }, commit.samples);
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
