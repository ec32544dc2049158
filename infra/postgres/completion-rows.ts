import type { RunMeasures } from '../../learning/measures/run-measures.ts';
import type { SensitivityRow } from '../../learning/measures/sensitivity.ts';
import { insertArtifact, type ArtifactRecord } from './artifact-rows.ts';
import { commitInAttempt, type AttemptEnd, type AttemptToken } from './attempt-rows.ts';
import { insertCosts, type Cost } from './cost-rows.ts';
import type { Database } from './database.ts';
import { insertSensitivities } from './sensitivity-rows.ts';

export interface ResultCommit {
  readonly envSteps: number;
  readonly bestRound: number | null;
  readonly peakRssMib: number;
  readonly wallS: number;
  readonly programVersion: string;
  readonly measures: RunMeasures;
  readonly sensitivities: readonly SensitivityRow[];
  readonly costs: readonly Cost[];
  readonly artifacts: readonly ArtifactRecord[];
}

/** The explicit record of completion: only with it a run is SUCCEEDED. It is the last that its attempt does. */
export async function commitResult(
  database: Database,
  token: AttemptToken,
  commit: ResultCommit,
  end: AttemptEnd,
): Promise<void> {
  const { runId } = token;
  await commitInAttempt(database, token, end, async (client) => {
    const round = await client.query('select rounds_completed from runs where id = $1', [runId]);
    for (const artifact of commit.artifacts) {
      await insertArtifact(client, runId, round.rows[0]!['rounds_completed'] as number, artifact);
    }
    await insertSensitivities(client, runId, commit.sensitivities);
    await insertCosts(client, runId, commit.costs);
    await client.query(
      `insert into results (run_id, env_steps, best_round, peak_rss_mib, wall_s, program_version, rise_then_fall, fall,
                            auc, roughness)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (run_id) do nothing`,
      [
        runId,
        commit.envSteps,
        commit.bestRound,
        commit.peakRssMib,
        commit.wallS,
        commit.programVersion,
        commit.measures.riseThenFall,
        commit.measures.fall,
        commit.measures.auc,
        commit.measures.roughness,
      ],
    );
    await client.query(`update runs set state = 'SUCCEEDED', reason = null, finished_at = now() where id = $1`, [
      runId,
    ]);
  });
}
