import type { PanelName } from '../../schemas/resolved-experiment.ts';
import type { Database } from './database.ts';
import { grouped } from './grouped-rows.ts';

/** What a run got on one simulator, of training or of an evaluation on the way. Means are over its episodes. */
export interface SimulatorMeans {
  readonly simulator: string;
  readonly episodes: number;
  readonly returnMean: number;
  readonly successRate: number;
}

/** A round of a run with all that was measured in it. */
export interface ListedRound {
  /** Completed rounds; 0 is the policy that nothing has been learnt by, which is evaluated only. */
  readonly round: number;
  /** Of training so far. */
  readonly envSteps: number;
  readonly wallS: number;
  readonly peakRssMib: number;
  /** Most memory that arrays held on a GPU; null without one. */
  readonly peakGpuMib: number | null;
  /** Share of the round for which each of several samplers waited, the training process first; empty for one. */
  readonly samplerIdleShares: readonly number[];
  readonly metrics: Readonly<Record<string, number>>;
  readonly training: readonly SimulatorMeans[];
  /** Empty where the round was not evaluated. */
  readonly evaluation: readonly (SimulatorMeans & { readonly panel: PanelName; readonly returnStd: number })[];
}

const SOURCE = '(select coalesce(same_as, id) from runs where id = $1)';

/** The rounds of a run in order; a SKIPPED run shows those of the equal run finished before. */
export async function listRounds(database: Database, runId: string): Promise<ListedRound[]> {
  const part = async (text: string) => {
    const { rows } = await database.query(text, [runId]);
    return { rows, of: grouped(rows, (row) => row['round'] as number) };
  };
  const [rounds, metrics, training, evaluation] = await Promise.all([
    part(
      `select round, env_steps, wall_s, peak_rss_mib, peak_gpu_mib, sampler_idle_shares from rounds where run_id = ${SOURCE} order by round`,
    ),
    part(`select round, name, value from metrics where run_id = ${SOURCE} order by round, name collate "C"`),
    part(`select round, name, episodes, return_mean, success_rate from training_episodes
           where run_id = ${SOURCE} order by round, position`),
    part(`select round, panel, name, episodes, return_mean, return_std, success_rate from evaluations
           where run_id = ${SOURCE} and checkpoint = 'round'
           order by round, array_position(array['train', 'validation', 'test'], panel), position`),
  ]);
  const numbers = [...new Set([...rounds.of.keys(), ...evaluation.of.keys()])].sort((a, b) => a - b);
  return numbers.map((round) => {
    const [row] = rounds.of.get(round) ?? [];
    return {
      round,
      envSteps: (row?.['env_steps'] as number | undefined) ?? 0,
      wallS: (row?.['wall_s'] as number | undefined) ?? 0,
      peakRssMib: (row?.['peak_rss_mib'] as number | undefined) ?? 0,
      peakGpuMib: (row?.['peak_gpu_mib'] as number | null | undefined) ?? null,
      samplerIdleShares: (row?.['sampler_idle_shares'] as number[] | undefined) ?? [],
      metrics: Object.fromEntries(
        (metrics.of.get(round) ?? []).map((each) => [each['name'] as string, each['value'] as number]),
      ),
      training: (training.of.get(round) ?? []).map(meansFromRow),
      evaluation: (evaluation.of.get(round) ?? []).map((each) => ({
        ...meansFromRow(each),
        panel: each['panel'] as PanelName,
        returnStd: each['return_std'] as number,
      })),
    };
  });
}

function meansFromRow(row: Record<string, unknown>): SimulatorMeans {
  return {
    simulator: row['name'] as string,
    episodes: row['episodes'] as number,
    returnMean: row['return_mean'] as number,
    successRate: row['success_rate'] as number,
  };
}
