import type { Database } from './database.ts';
import { BY_RUN, RUNS } from './export-table.ts';

/** A run that has policies, and where they come from. */
export interface PolicyRun {
  readonly variant: string;
  readonly seed: number;
  /** The run whose rows and files these are: another one for a SKIPPED run. */
  readonly sourceId: string;
  readonly lastRound: number;
  /** The round that was best on validation; null without a validation panel, and of a run that diverged. */
  readonly bestRound: number | null;
  /** Group of seats → hash of the policy's file, of the last checkpoint. */
  readonly lastPolicies: Readonly<Record<string, string>>;
}

/** Runs that are finished, and those that diverged and kept what they had learnt before, in the order of the spec. */
export async function listPolicyRuns(database: Database, experimentId: string): Promise<PolicyRun[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, r.source_id, f.best_round, max(a.round) as last_round,
            json_object_agg(substr(a.kind, 8), a.hash order by a.kind, a.round) as policies
       from ${RUNS}
       left join results f on f.run_id = r.source_id
       join artifacts a on a.run_id = r.source_id and a.kind like 'policy:%'
      group by r.variant_position, r.variant, r.seed, r.source_id, f.best_round
      order by ${BY_RUN}`,
    [experimentId],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    sourceId: row['source_id'] as string,
    lastRound: row['last_round'] as number,
    bestRound: row['best_round'] as number | null,
    lastPolicies: row['policies'] as Record<string, string>,
  }));
}
