import type { TrainedRound } from '../../activities/session-messages.ts';
import type { ComparedRow, Value } from '../../learning/diagnosis/first-difference.ts';

/** The pool that the round trains on, as its rows name it. */
type PoolNames = readonly { readonly name: string; readonly simulatorHash: string }[];

/**
 * What the k-th round would have left behind if it were committed, row by row as `listStoredRound` reads them.
 *
 * @param round k, counted from 1
 */
export function replayedRows(response: TrainedRound, pool: PoolNames, round: number): ComparedRow[] {
  const { episodes, visitation, members, metrics, envSteps, checkpoint } = response;
  const row = (table: string, key: string, values: Record<string, Value>): ComparedRow => ({ table, key, values });
  return [
    ...pool.map(({ name, simulatorHash }, index) => {
      const trained = { ...episodes[index]!, name, simulatorHash, visitation: visitation[index]! };
      return row('training_episodes', String(index), trainedValues(trained));
    }),
    ...members.map(({ name, episodes: count, returnMean }) =>
      row('member_episodes', name, { episodes: count, return_mean: returnMean }),
    ),
    ...Object.entries(metrics).map(([name, value]) => row('metrics', name, { value })),
    row('rounds', String(round), { env_steps: envSteps, checkpoint_hash: checkpoint.hash }),
  ];
}

type Trained = TrainedRound['episodes'][number] & PoolNames[number] & { readonly visitation: readonly number[][] };

function trainedValues({ scores, ...trained }: Trained): Record<string, Value> {
  return {
    simulator_hash: trained.simulatorHash,
    name: trained.name,
    episodes: trained.episodes,
    return_mean: trained.returnMean,
    return_std: trained.returnStd,
    length_mean: trained.lengthMean,
    success_rate: trained.successRate,
    visitation: trained.visitation,
    positive_value_loss: scores?.positiveValueLoss ?? null,
    value_mean: scores?.valueMean ?? null,
    discounted_return_max: scores?.discountedReturnMax ?? null,
    shortfall: scores?.shortfall ?? null,
  };
}
