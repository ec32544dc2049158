import { mean, sampleStandardDeviation } from '../statistics/moments.ts';
import { admissionRounds } from './admissions.ts';
import { unknown, type EvidenceItem, type Finding, type KnownProblem } from './contract.ts';
import { figure } from './figures.ts';
import type { RunHistory, TrainedRound, VariantHistory } from './history.ts';
import { median } from '../statistics/median.ts';

/** Values are normalised together: a simulator with twice the spread weighs four times in their squared error. */
const SCALE_RATIO_MAX = 2;
/** The curve is rough when its changes are twice as large as before: four times in variance. */
const VARIANCE_RATIO_MAX = 4;
/** A variance of fewer changes says nothing. */
const CHANGES_MIN = 3;

/** Training became unstable when simulators were added whose returns differ much in scale. */
export const poolTooWide: KnownProblem = {
  id: 'pool_too_wide',
  sign: 'training is unstable after simulators were added',
  remedy: 'Normalise rewards per simulator (rewards of each simulator), and narrow the ranges of randomization.',
  examine,
};

/** How differently the returns of two simulators of one round are scaled, at most. */
interface Scales {
  /** Of the standard deviations over episodes, ≥ 1. */
  readonly ratio: number;
  /** Of the means. */
  readonly distance: number;
}

function examine({ runs }: VariantHistory): Finding {
  const scales = runs.flatMap(({ rounds }) => rounds.map(scalesOf)).filter((scales) => scales !== null);
  if (scales.length === 0) return withoutScales(runs);
  // Over rounds, because returns spread less and less as the policy learns.
  const scale = median(scales.map(({ ratio }) => ratio));
  const distance = median(scales.map((each) => each.distance));
  const evidence: EvidenceItem[] = [
    { what: 'spread of returns, widest simulator to narrowest', value: scale, unit: '×', limit: SCALE_RATIO_MAX },
    { what: 'between the highest and the lowest mean return of a simulator', value: distance, unit: 'return' },
  ];
  const scaleText = `Returns spread ${figure(scale)} times as wide in one simulator of the pool as in another`;
  const roughness = roughnessRatio(runs);
  if (roughness !== null) {
    evidence.push({
      what: 'variance of round-to-round changes, after additions to before',
      value: roughness,
      unit: '×',
      limit: VARIANCE_RATIO_MAX,
    });
  }
  if (scale <= SCALE_RATIO_MAX)
    return { found: 'no', headline: `${scaleText}, which is no more than ${SCALE_RATIO_MAX}.`, evidence };
  if (roughness === null) {
    return unknown(
      `${scaleText}, but too few rounds surround an addition to tell whether it made training unstable.`,
      evidence,
    );
  }
  return {
    found: roughness > VARIANCE_RATIO_MAX ? 'yes' : 'no',
    headline: `${scaleText}, and the variance of the training curve is ${figure(roughness)} times what it was before simulators were added.`,
    evidence,
  };
}

function withoutScales(runs: readonly RunHistory[]): Finding {
  const trained = runs.flatMap(({ rounds }) => rounds);
  if (trained.length === 0) return unknown('No round has been trained yet.');
  const isRandomized = runs.some(({ pools }) =>
    pools.some(({ entries }) => entries.some((entry) => entry.isRandomized)),
  );
  return isRandomized
    ? unknown('Parameters are drawn anew for every episode, and returns are kept for all draws together.')
    : { found: 'no', headline: 'No run trained on more than one simulator.', evidence: [] };
}

/** Between the simulators of one round; null when it had one at most. What does not vary at all has no scale. */
function scalesOf({ simulators }: TrainedRound): Scales | null {
  const varying = simulators.filter(({ returnStd }) => returnStd > 0);
  if (varying.length < 2) return null;
  const stds = varying.map(({ returnStd }) => returnStd);
  const means = varying.map(({ returnMean }) => returnMean);
  return { ratio: Math.max(...stds) / Math.min(...stds), distance: Math.max(...means) - Math.min(...means) };
}

/** Variance of the changes of the training curve after the first addition divided by that before; null without either. */
function roughnessRatio(runs: readonly RunHistory[]): number | null {
  const before: number[] = [];
  const after: number[] = [];
  for (const { rounds, pools } of runs) {
    const [added] = admissionRounds(pools);
    if (added === undefined) continue;
    for (const [index, later] of rounds.slice(1).entries()) {
      const change = commonChange(rounds[index]!, later);
      if (change !== null) (later.round <= added ? before : after).push(change);
    }
  }
  if (before.length < CHANGES_MIN || after.length < CHANGES_MIN) return null;
  return (sampleStandardDeviation(after) / sampleStandardDeviation(before)) ** 2;
}

/** Mean change of return over the simulators of both rounds: a curve that does not move because the pool does. */
function commonChange(earlier: TrainedRound, later: TrainedRound): number | null {
  const known = new Map(earlier.simulators.map(({ simulatorHash, returnMean }) => [simulatorHash, returnMean]));
  const changes = later.simulators
    .map(({ simulatorHash, returnMean }) => returnMean - (known.get(simulatorHash) ?? NaN))
    .filter(Number.isFinite);
  return changes.length === 0 ? null : mean(changes);
}
