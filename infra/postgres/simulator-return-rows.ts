import type { PanelName } from '../../schemas/resolved-experiment.ts';
import type { Database } from './database.ts';

/** What the last policy of a run got on one simulator of a panel. */
export interface SimulatorReturn {
  readonly variant: string;
  readonly seed: number;
  readonly panel: PanelName;
  /** Its name in the panel, or in the pool that the run trained on last. */
  readonly simulator: string;
  readonly checkpoint: 'last';
  readonly episodes: number;
  /** Over its episodes, as is the standard deviation. */
  readonly returnMean: number;
  readonly returnStd: number;
}

/**
 * The last evaluation of every run that has one, variant by variant in the order of the spec, simulator by simulator in
 * that of its panel; a SKIPPED run shows that of the equal run finished before.
 * @param panel null for all of them
 */
export async function listSimulatorReturns(
  database: Database,
  experimentId: string,
  panel: PanelName | null,
): Promise<SimulatorReturn[]> {
  const { rows } = await database.query(
    `select r.variant, r.seed, e.panel, e.name, e.episodes, e.return_mean, e.return_std
       from (select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1) r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join evaluations e on e.run_id = r.source_id and e.checkpoint = 'last'
      where $2::text is null or e.panel = $2
      order by v.position, r.seed, array_position(array['train', 'validation', 'test'], e.panel), e.position`,
    [experimentId, panel],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    panel: row['panel'] as PanelName,
    simulator: row['name'] as string,
    checkpoint: 'last',
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
    returnStd: row['return_std'] as number,
  }));
}
