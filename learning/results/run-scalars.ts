/** A number of a run at one of its steps. */
export interface Scalar {
  readonly tag: string;
  /** Completed rounds. */
  readonly round: number;
  /** Env steps of training up to then. */
  readonly step: number;
  readonly value: number;
  /** When, in seconds since 1970. */
  readonly wallTimeS: number;
}

type Row = Readonly<Record<string, unknown>>;

/** Tables whose numbers trackers show. */
export const RUN_TABLES = ['rounds', 'metrics', 'scores', 'evaluations', 'training_episodes'] as const;

/** The rows of one run, by table. */
export type RunRows = Readonly<Record<(typeof RUN_TABLES)[number], readonly Row[]>>;

const SCORES = [
  'train_return',
  'validation_return',
  'heldout_return',
  'worst_heldout',
  'collapse_gap',
  'relative_gap',
  'zero_variance_share',
  'policy_entropy',
  'dwelling',
  'indifference',
];

/**
 * The numbers of a run round by round: `scores/…` of whole panels, `train|validation|test/SIMULATOR/…` of evaluations,
 * `training/SIMULATOR/…` of the episodes it learnt from, `metrics/…` of the algorithm, `time/…` and `memory/…`. What is not measured is left out; NaN
 * and infinities are kept.
 */
export function scalarsOf(
  { rounds, metrics, scores, evaluations, training_episodes }: RunRows,
  startS: number,
): Scalar[] {
  const places = placesOf(rounds, startS);
  const scalars: Scalar[] = [];
  const add = (round: unknown, tag: string, value: unknown): void => {
    const place = places.get(round as number);
    if (place !== undefined && typeof value === 'number')
      scalars.push({ tag, value, round: round as number, ...place });
  };
  for (const row of scores) {
    if (row['checkpoint'] !== 'round') continue;
    for (const score of SCORES) add(row['round'], `scores/${score}`, row[score]);
  }
  for (const row of evaluations) {
    if (row['checkpoint'] !== 'round') continue;
    const tag = `${String(row['panel'])}/${String(row['simulator'])}`;
    add(row['round'], `${tag}/return`, row['return_mean']);
    add(row['round'], `${tag}/success`, row['success_rate']);
    add(row['round'], `${tag}/length`, row['length_mean']);
  }
  for (const row of training_episodes) {
    // A member of the pool that no episode was drawn from has no mean.
    if (row['episodes'] === 0) continue;
    add(row['round'], `training/${String(row['simulator'])}/return`, row['return_mean']);
    add(row['round'], `training/${String(row['simulator'])}/episodes`, row['episodes']);
  }
  for (const row of metrics) add(row['round'], `metrics/${String(row['metric'])}`, row['value']);
  for (const row of rounds) {
    add(row['round'], 'time/round_s', row['wall_s']);
    add(row['round'], 'memory/peak_rss_mib', row['peak_rss_mib']);
    add(row['round'], 'memory/peak_gpu_mib', row['peak_gpu_mib']);
  }
  return scalars.sort((a, b) => a.round - b.round);
}

/** Where a round stands: its env steps, and when it was completed. Round 0 is the start. */
function placesOf(rounds: readonly Row[], startS: number): Map<number, Pick<Scalar, 'step' | 'wallTimeS'>> {
  const places = new Map([[0, { step: 0, wallTimeS: startS }]]);
  let wallTimeS = startS;
  for (const row of rounds) {
    wallTimeS += row['wall_s'] as number;
    places.set(row['round'] as number, { step: row['env_steps'] as number, wallTimeS });
  }
  return places;
}

/** The same numbers, round by round in the order in which they come. */
export function byRound(scalars: readonly Scalar[]): Map<number, Scalar[]> {
  const rounds = new Map<number, Scalar[]>();
  for (const scalar of scalars) {
    const ofRound = rounds.get(scalar.round);
    if (ofRound === undefined) rounds.set(scalar.round, [scalar]);
    else ofRound.push(scalar);
  }
  return rounds;
}
