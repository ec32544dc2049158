import type { RoundChoice } from '../../learning/results/round-choice.ts';
import type { CheckpointName } from '../../schemas/records.ts';
import type { PanelName } from '../../schemas/resolved-experiment.ts';
import type { Database } from './database.ts';

/** What a policy of a run got on one simulator of a panel. */
export interface SimulatorReturn {
  readonly variant: string;
  readonly seed: number;
  readonly panel: PanelName;
  /** Its name in the panel, or in the pool that the run trained on last. */
  readonly simulator: string;
  /** Of its content: draws of different runs may have one name. */
  readonly simulatorHash: string;
  readonly checkpoint: CheckpointName;
  readonly episodes: number;
  /** Over its episodes, as is the standard deviation. */
  readonly returnMean: number;
  readonly returnStd: number;
}

/**
 * An evaluation of every run that has it, variant by variant in the order of the spec, simulator by simulator in that of its
 * panel; a SKIPPED run shows that of the equal run finished before.
 * @param panel null for all of them
 */
export async function listSimulatorReturns(
  database: Database,
  experimentId: string,
  panel: PanelName | null,
  round: RoundChoice = 'last',
): Promise<SimulatorReturn[]> {
  const [checkpoint, roundNumber] = typeof round === 'number' ? ['round', round] : [round, null];
  const { rows } = await database.query(
    `select r.variant, r.seed, e.panel, e.name, e.simulator_hash, e.checkpoint, e.episodes, e.return_mean, e.return_std
       from (select *, coalesce(same_as, id) as source_id from runs where experiment_id = $1) r
       join variants v on v.experiment_id = r.experiment_id and v.name = r.variant
       join evaluations e on e.run_id = r.source_id and e.checkpoint = $3 and ($4::int is null or e.round = $4)
      where $2::text is null or e.panel = $2
      order by v.position, r.seed, array_position(array['train', 'validation', 'test'], e.panel), e.position`,
    [experimentId, panel, checkpoint, roundNumber],
  );
  return rows.map((row) => ({
    variant: row['variant'] as string,
    seed: row['seed'] as number,
    panel: row['panel'] as PanelName,
    simulator: row['name'] as string,
    simulatorHash: row['simulator_hash'] as string,
    checkpoint: row['checkpoint'] as CheckpointName,
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
    returnStd: row['return_std'] as number,
  }));
}
