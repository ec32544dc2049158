import type { EpisodeSample } from '../../rollout/episode-sample.ts';

/** What a candidate can be ranked by; larger is chosen first. */
interface PredictedScore {
  readonly summary: string;
  /** What of an episode is predicted. */
  readonly target: (sample: EpisodeSample) => number;
  /** How good a candidate is whose episodes are predicted to give this. */
  readonly rank: (predicted: number) => number;
}

/** Named choices of the score; a further one is a line here. */
export const PREDICTED_SCORES = {
  shortfall: {
    summary: 'how much worse its episodes go than the critic expects',
    target: ({ shortfall }) => shortfall,
    rank: (predicted) => predicted,
  },
  low_return: {
    summary: 'how low the return is',
    target: (sample) => -sample.return,
    rank: (predicted) => predicted,
  },
  learnability: {
    summary: 'p(1 − p), p the success rate',
    target: ({ success }) => (success ? 1 : 0),
    rank: (predicted) => {
      const probability = Math.max(0, Math.min(1, predicted));
      return probability * (1 - probability);
    },
  },
} as const satisfies Readonly<Record<string, PredictedScore>>;

export type PredictedScoreName = keyof typeof PREDICTED_SCORES;
