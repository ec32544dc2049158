const RETURNS = ['train_return', 'validation_return', 'heldout_return', 'worst_heldout', 'cvar_heldout'];
const GAINS = ['train_gain', 'heldout_gain'];
const COSTS = [
  ...[
    'attempts',
    'env_steps',
    'peak_rss_mib',
    'wall_s',
    'total_env_steps',
    'adapt_env_steps_share',
    'adapt_wall_share',
  ],
  ...['training', 'scoring', 'mining', 'evaluation'].map((purpose) => `${purpose}_env_steps`),
];

/**
 * Whether more of a metric is better, or less; absent where neither is, as with the entropy of a policy. Nor is a smaller gap, or
 * fall, or spread over simulators, better by itself: a policy that has learnt nothing has none.
 */
export const METRIC_DIRECTIONS: Readonly<Record<string, 'more' | 'less'>> = {
  ...directions('more', [...withBest([...RETURNS, ...GAINS]), 'auc']),
  ...directions('less', ['specialist_regret', ...COSTS]),
};

function withBest(keys: readonly string[]): string[] {
  return keys.flatMap((key) => [key, `best_${key}`]);
}

function directions<Direction>(direction: Direction, keys: readonly string[]): Record<string, Direction> {
  return Object.fromEntries(keys.map((key) => [key, direction]));
}
