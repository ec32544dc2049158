import { unknown, type EvidenceItem, type Finding, type KnownProblem } from './contract.ts';
import { counted, figure, percent } from './figures.ts';
import type { RunHistory, TrainedRound, VariantHistory } from './history.ts';
import { median } from '../statistics/median.ts';

/** Machines that are shared vary by some ten per cent from minute to minute; a quarter more is no accident. */
const TIME_RATIO_MAX = 1.25;
/** Two rounds a third, so that the median is not a single round. */
const ROUNDS_MIN = 6;
/** Enough to see whom to evict. */
const SIMULATORS_SHOWN = 5;

/** An env step costs more and more time while the pool grows. */
export const trainingTimeGrows: KnownProblem = {
  id: 'training_time_grows',
  sign: 'the time of a round rises with the pool',
  remedy: 'Limit the pool with strategy.size, so that simulators that add little are evicted.',
  examine,
};

interface Growth {
  readonly first: number;
  readonly last: number;
  readonly poolFirst: number;
  readonly poolLast: number;
}

function examine({ runs }: VariantHistory): Finding {
  const growths = runs.flatMap((run) => (run.rounds.length < ROUNDS_MIN ? [] : [growthOf(run.rounds)]));
  if (growths.length === 0) return unknown(`No run has completed ${ROUNDS_MIN} rounds, too few to see a trend.`);
  const ratio = median(growths.map(({ first, last }) => last / first));
  const poolFirst = Math.max(...growths.map((growth) => growth.poolFirst));
  const poolLast = Math.max(...growths.map((growth) => growth.poolLast));
  const hasGrown = growths.some((growth) => growth.poolLast > growth.poolFirst);
  const change = `An env step took ${figure(ratio)} times as long in the last third of the rounds as in the first`;
  const sizes = hasGrown
    ? `the pool grew from ${poolFirst} to ${counted(poolLast, 'simulator')}`
    : `the pool did not grow (${counted(poolLast, 'simulator')})`;
  return {
    found: ratio > TIME_RATIO_MAX && hasGrown ? 'yes' : 'no',
    headline: `${change}; ${sizes}.`,
    evidence: [
      {
        what: 'time of an env step, last third to first third of the rounds',
        value: ratio,
        unit: '×',
        limit: TIME_RATIO_MAX,
      },
      { what: 'in the first third', value: median(growths.map(({ first }) => first)), unit: 'µs/step' },
      { what: 'in the last third', value: median(growths.map(({ last }) => last)), unit: 'µs/step' },
      { what: 'simulators in the pool at first', value: poolFirst, unit: 'simulators' },
      { what: 'at last', value: poolLast, unit: 'simulators' },
      { what: 'time by simulator', value: null, unit: 's' },
      ...contributions(runs),
    ],
  };
}

/** Medians of thirds, so that a round in which the machine was busy, or the process was started, does not count. */
function growthOf(rounds: readonly TrainedRound[]): Growth {
  const third = Math.floor(rounds.length / 3);
  const time = (part: readonly TrainedRound[]): number =>
    median(part.map(({ wallS, envSteps }) => (1e6 * wallS) / envSteps));
  return {
    first: time(rounds.slice(0, third)),
    last: time(rounds.slice(-third)),
    poolFirst: rounds[0]!.simulators.length,
    poolLast: rounds.at(-1)!.simulators.length,
  };
}

/** What the simulators of the last pool give: episodes stand for time, for a step costs the same in each. */
function contributions(runs: readonly RunHistory[]): EvidenceItem[] {
  const run = runs.find(({ rounds }) => rounds.length >= ROUNDS_MIN)!;
  const { simulators } = run.rounds.at(-1)!;
  const total = simulators.reduce((sum, { episodes }) => sum + episodes, 0);
  return [...simulators]
    .sort((a, b) => b.episodes - a.episodes)
    .slice(0, SIMULATORS_SHOWN)
    .map(({ name, episodes, returnMean }) => ({
      what: `share of the last round's episodes in "${name}" (seed ${run.seed})`,
      value: `${percent(episodes / total)}, mean return ${figure(returnMean)}`,
      unit: '',
    }));
}
