import type { PanelMember } from '../../activities/panels.ts';
import { meanInterval } from '../../learning/measures/episode-intervals.ts';
import type { SensitivityRow } from '../../learning/measures/sensitivity.ts';
import type { Column } from '../../learning/results/column.ts';
import type { Interval } from '../../learning/statistics/bootstrap.ts';
import { mean } from '../../learning/statistics/moments.ts';
import type { EvaluationRecord } from '../../schemas/records.ts';
import type { Evaluated } from './evaluate-policies.ts';

/** What a policy got in one simulator, beside what chance got. */
export interface SimulatorResult {
  readonly record: EvaluationRecord;
  readonly interval: Interval | null;
  readonly randomReturn: number;
  readonly randomEpisodes: number;
  /** Null in a world that has no success. */
  readonly successRate: number | null;
}

export function simulatorResults({ assessment, panel }: Evaluated): SimulatorResult[] {
  return assessment.evaluations.map((record, index) => {
    const { randomReturns } = assessment.scored[index]!;
    return {
      record,
      interval: meanInterval(record.returns),
      randomReturn: mean(randomReturns),
      randomEpisodes: randomReturns.length,
      successRate: panel.world.hasSuccess ? record.successRate : null,
    };
  });
}

const MEASURE = { kind: 'measure', align: 'right' } as const;

export const SIMULATOR_COLUMNS: readonly Column<SimulatorResult>[] = [
  { key: 'panel', value: ({ record }) => record.panel },
  { key: 'simulator', value: ({ record }) => record.name },
  { key: 'episodes', kind: 'count', align: 'right', value: ({ record }) => record.returns.length },
  {
    key: 'return_mean',
    title: 'return',
    ...MEASURE,
    value: ({ record }) => record.returnMean,
    joins: { as: 'estimate', keys: ['return_ci95_low', 'return_ci95_high'] },
  },
  { key: 'return_std', title: '± episodes', ...MEASURE, value: ({ record }) => record.returnStd },
  { key: 'return_ci95_low', ...MEASURE, isPart: true, value: ({ interval }) => interval?.[0] ?? null },
  { key: 'return_ci95_high', ...MEASURE, isPart: true, value: ({ interval }) => interval?.[1] ?? null },
  { key: 'random_return', title: 'random', ...MEASURE, value: ({ randomReturn }) => randomReturn },
  { key: 'success_rate', title: 'success', ...MEASURE, value: ({ successRate }) => successRate },
  { key: 'length_mean', title: 'steps', ...MEASURE, value: ({ record }) => record.lengthMean },
  {
    key: 'visitation_divergence',
    title: 'moves elsewhere',
    ...MEASURE,
    value: ({ record }) => record.visitationDivergence,
  },
  { key: 'simulator_hash', value: ({ record }) => record.simulatorHash },
];

/** Those that people read: a hash tells them nothing, and where there is no success nobody asks for it. */
export function readColumns({ panel }: Evaluated): readonly Column<SimulatorResult>[] {
  const left = ['simulator_hash', ...(panel.world.hasSuccess ? [] : ['success_rate'])];
  return SIMULATOR_COLUMNS.filter(({ key }) => !left.includes(key));
}

export const SENSITIVITY_COLUMNS: readonly Column<SensitivityRow>[] = [
  { key: 'kind', value: ({ kind }) => kind },
  { key: 'name', value: ({ name }) => name },
  { key: 'factor', value: ({ factor }) => factor },
  { key: 'episodes', value: ({ episodes }) => episodes },
  { key: 'return_mean', value: ({ returnMean }) => returnMean },
  { key: 'loss', value: ({ loss }) => loss },
  { key: 'is_cliff', value: ({ isCliff }) => isCliff },
];

/** One episode of the policy. */
export interface EpisodeResult {
  readonly member: Pick<PanelMember, 'panel' | 'name'>;
  readonly episode: number;
  readonly return: number;
  readonly length: number;
  readonly success: boolean;
}

export function episodeResults({ assessment }: Evaluated): EpisodeResult[] {
  return assessment.evaluations.flatMap(({ panel, name, returns, lengths, successes }) =>
    returns.map((value, episode) => ({
      member: { panel, name },
      episode,
      return: value,
      length: lengths[episode]!,
      success: successes[episode]!,
    })),
  );
}

export const EPISODE_COLUMNS: readonly Column<EpisodeResult>[] = [
  { key: 'panel', value: ({ member }) => member.panel },
  { key: 'simulator', value: ({ member }) => member.name },
  { key: 'episode', value: ({ episode }) => episode },
  { key: 'return', value: (result) => result.return },
  { key: 'length', value: ({ length }) => length },
  { key: 'success', value: ({ success }) => success },
];
