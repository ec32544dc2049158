import type { LeaderboardRun } from '../../learning/results/leaderboard.ts';
import type { Database, Row } from './database.ts';

/**
 * Every run that succeeded and was measured on a test panel, oldest experiment first. A SKIPPED run is left out: the run that it
 * is equal to is there. The hash of a panel is that of `testPanelHash`: of the JSON array of its simulators' hashes in order.
 */
export async function listLeaderboardRuns(
  database: Database,
  { family }: { family: string | null },
): Promise<LeaderboardRun[]> {
  const { rows } = await database.query(
    `with panels as (
       select experiment_id, variant, count(*)::integer as panel_size,
              encode(sha256(convert_to(
                '["' || string_agg(simulator_hash, '","' order by simulator_hash collate "C") || '"]', 'UTF8')), 'hex') as panel_hash
         from panel_simulators where panel = 'test' group by experiment_id, variant),
     spent as (
       select run_id, sum(env_steps)::bigint as env_steps from costs where purpose <> 'evaluation' group by run_id)
     select x.name as experiment, r.variant, r.variant_hash, r.seed, p.panel_hash, p.panel_size,
            v.resolved ->> 'family' as family, v.resolved ->> 'family_version' as family_version,
            v.resolved -> 'learners' as learners,
            s.heldout_return, s.worst_heldout, s.train_gain, s.heldout_gain, s.relative_gap,
            coalesce(c.env_steps, f.env_steps) as env_steps
       from runs r
       join experiments x on x.id = r.experiment_id
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join panels p on p.experiment_id = r.experiment_id and p.variant = r.variant
       join results f on f.run_id = r.id
       join checkpoint_scores s on s.run_id = r.id and s.checkpoint = 'last' and s.heldout_return is not null
       left join spent c on c.run_id = r.id
      where r.state = 'SUCCEEDED' and ($1::text is null or v.resolved ->> 'family' = $1)
        and s.round = (select max(round) from checkpoint_scores where run_id = r.id and checkpoint = 'last')
      order by x.created_at, x.id, v.position, r.seed`,
    [family],
  );
  return rows.map(runFromRow);
}

function runFromRow(row: Row): LeaderboardRun {
  return {
    family: row['family'] as string,
    familyVersion: row['family_version'] as string,
    panelHash: row['panel_hash'] as string,
    panelSize: row['panel_size'] as number,
    learners: row['learners'] as readonly number[],
    name: `${row['experiment'] as string}/${row['variant'] as string}`,
    variantHash: row['variant_hash'] as string,
    seed: row['seed'] as number,
    heldoutReturn: row['heldout_return'] as number,
    worstHeldout: row['worst_heldout'] as number | null,
    trainGain: row['train_gain'] as number | null,
    heldoutGain: row['heldout_gain'] as number | null,
    relativeGap: row['relative_gap'] as number | null,
    envSteps: row['env_steps'] as number | null,
  };
}
