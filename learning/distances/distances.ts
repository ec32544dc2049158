import { jensenShannon, standardizedWasserstein, symmetricKl, type Counts } from './divergences.ts';
import type { SimulatorProbe } from './probe.ts';

/** Distances between two simulators by what the same two policies meet in them: `diversity.metric` of a spec. */
export const DISTANCE_METRICS = ['trajectory_kl', 'state_visitation', 'reward_distribution'] as const;
export type DistanceMetric = (typeof DISTANCE_METRICS)[number];

export type Distances = Readonly<Record<DistanceMetric, number>>;

/**
 * Symmetric KL divergence in nats, at least 0, between the states visited in all episodes together: mean over policies,
 * seats and state features.
 */
export function trajectoryKl(a: SimulatorProbe, b: SimulatorProbe): number {
  return meanOverHistograms(a.pooledVisits, b.pooledVisits, a.bins, symmetricKl);
}

/**
 * Jensen–Shannon divergence, in [0, 1], between the states visited in episodes that start alike: mean over policies,
 * episodes, seats and state features. It tells partners apart that choose differently, though over many starts they are
 * at the same places equally often; at least as large as the divergence of all episodes together.
 */
export function stateVisitation(a: SimulatorProbe, b: SimulatorProbe): number {
  return meanOverHistograms(a.visits, b.visits, a.bins, jensenShannon);
}

/**
 * 1-Wasserstein distance between returns in units of their pooled standard deviation, at least 0: mean over both
 * policies. Infinite when the returns of a policy are two different constants.
 */
export function rewardDistribution(a: SimulatorProbe, b: SimulatorProbe): number {
  const [random, reference] = a.returns.map((returns, policy) => standardizedWasserstein(returns, b.returns[policy]!));
  return (random! + reference!) / 2;
}

/**
 * Whether `stateVisitation` of whole probes is at least this, told from as few episodes as do. No divergence is below 0,
 * so what the first episodes add up to can only grow.
 * @param a, b of the first episodes, or of all
 * @param episodes of whole probes
 * @returns false where these episodes do not say
 */
export function visitationReaches(a: SimulatorProbe, b: SimulatorProbe, least: number, episodes: number): boolean {
  const perEpisode = a.visits.length / a.returns[0].length / sumOf(a.bins);
  const enough = least * perEpisode * a.bins.length * episodes;
  let sum = 0;
  for (let first = 0; first < a.visits.length;) {
    for (const bins of a.bins) {
      sum += jensenShannon(a.visits, b.visits, first, bins);
      first += bins;
    }
    if (sum >= enough) return true;
  }
  return false;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const METRICS: Readonly<Record<DistanceMetric, (a: SimulatorProbe, b: SimulatorProbe) => number>> = {
  trajectory_kl: trajectoryKl,
  state_visitation: stateVisitation,
  reward_distribution: rewardDistribution,
};

/** One distance between two simulators. */
export function distanceBetween(metric: DistanceMetric, a: SimulatorProbe, b: SimulatorProbe): number {
  return METRICS[metric](a, b);
}

/** All distances between two simulators. Both probes have the same world, options, seed and number of episodes. */
export function distancesBetween(a: SimulatorProbe, b: SimulatorProbe): Distances {
  const entries = DISTANCE_METRICS.map((metric) => [metric, distanceBetween(metric, a, b)] as const);
  return Object.fromEntries(entries) as unknown as Distances;
}

function meanOverHistograms(
  a: Int32Array,
  b: Int32Array,
  binsOfFeatures: readonly number[],
  divergence: (p: Counts, q: Counts, first: number, binCount: number) => number,
): number {
  let sum = 0;
  let histogramCount = 0;
  let first = 0;
  while (first < a.length) {
    for (const bins of binsOfFeatures) {
      sum += divergence(a, b, first, bins);
      histogramCount += 1;
      first += bins;
    }
  }
  return sum / histogramCount;
}
