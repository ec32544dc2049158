/** A measure of the result table, and what it is. */
export interface Measure {
  readonly column: string;
  readonly about: string;
}

/** Measures that every checkpoint has: of the last one, and under `best_…` of the best on validation. */
export const CHECKPOINT_MEASURES: readonly Measure[] = [
  { column: 'verdict', about: 'What the numbers say about collapse' },
  { column: 'train_return', about: 'Mean return on the simulators that it trained on' },
  { column: 'validation_return', about: 'Mean return where checkpoints are chosen and failures are mined' },
  { column: 'heldout_return', about: 'Mean return on simulators that it never saw' },
  { column: 'worst_heldout', about: 'Mean return on the worst of these' },
  { column: 'cvar_heldout', about: 'How the worst tenth of held-out episodes goes' },
  { column: 'heldout_std', about: 'How much held-out simulators differ: standard deviation of their means' },
  { column: 'collapse_gap', about: 'Return on training simulators less that on held-out ones' },
  { column: 'relative_gap', about: 'Share of what was learnt over chance that is lost on held-out simulators' },
  { column: 'train_gain', about: 'What was learnt over chance on training simulators' },
  { column: 'heldout_gain', about: 'What was learnt over chance on held-out simulators' },
  { column: 'visitation_divergence', about: 'How differently it visits states held out and on its pool, 0 to 1' },
  { column: 'zero_variance_share', about: 'Share of groups of episodes from one start that come out alike, 0 to 1' },
  { column: 'policy_entropy', about: 'How undecided the policy is, in nats' },
  { column: 'dwelling', about: 'Share of steps that a learner spends where it is most' },
  { column: 'indifference', about: 'How little its actions depend on the others: 1 as if it were alone' },
];

/** Measures of the whole run. */
export const RUN_MEASURES: readonly (readonly [group: string, measures: readonly Measure[]])[] = [
  [
    'Its course',
    [
      { column: 'best_round', about: 'Round whose checkpoint was best on validation' },
      { column: 'rise_then_fall', about: 'Whether the held-out return rose and then fell' },
      { column: 'fall', about: 'How far it fell from its best' },
      { column: 'auc', about: 'Mean held-out return over the whole training' },
      { column: 'roughness', about: 'How much it jumps from one evaluation to the next' },
      { column: 'specialist_regret', about: 'How much less it gets than a specialist of each held-out simulator' },
    ],
  ],
  [
    'What it cost',
    [
      { column: 'training_env_steps', about: 'Env steps of training' },
      { column: 'scoring_env_steps', about: 'Env steps of judging candidates' },
      { column: 'mining_env_steps', about: 'Env steps of looking for failures' },
      { column: 'evaluation_env_steps', about: 'Env steps of evaluations' },
      { column: 'total_env_steps', about: 'Training, scoring and mining together' },
      { column: 'adapt_env_steps_share', about: 'Share of env steps that changing the pool took' },
      { column: 'adapt_wall_share', about: 'Share of the time that changing the pool took' },
      { column: 'wall_s', about: 'Seconds at work' },
      { column: 'peak_rss_mib', about: 'Most memory, in MiB' },
      { column: 'attempts', about: 'Tries at its rounds' },
    ],
  ],
];

/** Columns that the head of the page shows. */
const ELSEWHERE = ['variant', 'seed', 'state', 'reason', 'env_steps', 'program_version'];

/** Columns that are in none of the groups, so that a new one is shown before anybody has explained it. */
export function otherColumns(columns: readonly string[]): string[] {
  const explained = new Set([
    ...ELSEWHERE,
    ...CHECKPOINT_MEASURES.flatMap(({ column }) => [column, `best_${column}`]),
    ...RUN_MEASURES.flatMap(([, measures]) => measures.map(({ column }) => column)),
  ]);
  return columns.filter((column) => !explained.has(column));
}
