import { mean } from '../statistics/moments.ts';
import { bootstrapInterval, INTERVAL_VALUES_MIN } from '../statistics/bootstrap.ts';
import { pooledRelativeGap, type Gains } from '../statistics/relative-gap.ts';
import { unknown, type EvidenceItem, type Finding, type KnownProblem } from './contract.ts';
import { counted, figure, percent } from './figures.ts';
import type { RunHistory, VariantHistory } from './history.ts';

const TRAIN_LONGER = 'Where little was learnt in training, train longer before that.';
const WIDER_POOL =
  'Widen the pool: a larger `size`, with members that differ more in what the policy leans on (partners first), or ' +
  `strategy "random_generator" or "adaptive", which go on drawing new ones from \`randomization\`. ${TRAIN_LONGER}`;
const WIDER_DRAWS =
  'Draw from more: wider ranges in `randomization` over what the policy leans on (partners first), members of the train ' +
  `panel that differ more, or a larger \`size\`. ${TRAIN_LONGER}`;
/** By strategy, for those that train on more than one simulator already. */
const REMEDIES: Readonly<Record<string, string>> = {
  pool: WIDER_POOL,
  random_generator: WIDER_DRAWS,
  adaptive: WIDER_DRAWS,
};

/** The policy is good where it was trained and not elsewhere: the relative gap of all runs together is above its limit. */
export const overfitToSimulator: KnownProblem = {
  id: 'overfit_to_simulator',
  sign: 'the return is high in training and low on held-out simulators',
  remedy:
    'Train on more than one simulator: strategy "pool" over simulators that differ in what the policy leans on (partners ' +
    'first), or "random_generator" or "adaptive", which draw new ones from `randomization`. ' +
    TRAIN_LONGER,
  examine,
};

function examine({ runs, strategyKind, verdictLimits }: VariantHistory): Finding {
  const measured = runs.filter((run) => gainsOf(run) !== null);
  if (measured.length === 0) {
    return unknown('No run has finished with an evaluation on both training and held-out simulators.');
  }
  const gains = measured.map((run) => gainsOf(run)!);
  const untrained = measured.filter(({ last }) => last?.verdict === 'untrained').length;
  const gap = untrained === measured.length ? NaN : pooledRelativeGap(gains);
  if (Number.isNaN(gap)) {
    const headline = `None of ${counted(measured.length, 'run')} learnt more than a random policy knows, so nothing can be lost.`;
    return unknown(headline, gainEvidence(gains, untrained));
  }
  const interval = bootstrapInterval({ strata: [gains], statistic: pooledRelativeGap });
  const remedy = REMEDIES[strategyKind];
  return {
    ...(remedy !== undefined && { remedy }),
    found: gap > verdictLimits.collapsed ? 'yes' : 'no',
    headline: headline(gap, { limit: verdictLimits.collapsed, gain: mean(gains.map(({ train }) => train)) }),
    evidence: [
      { what: 'relative gap of all runs together', value: gap, unit: '', limit: verdictLimits.collapsed },
      {
        what: '95 % interval of it over runs',
        value:
          interval === null
            ? `none below ${INTERVAL_VALUES_MIN} runs`
            : `${percent(interval[0])} to ${percent(interval[1])}`,
        unit: '',
      },
      ...gainEvidence(gains, untrained),
    ],
  };
}

function headline(gap: number, { limit, gain }: { limit: number; gain: number }): string {
  if (gap < 0) {
    return `Nothing is lost on held-out simulators: the gain over a random policy is ${percent(-gap)} larger there than in training, so that panel is the easier one.`;
  }
  return `${percent(gap)} of the ${figure(gain)} in return that was learnt over a random policy is lost on simulators never trained on (limit ${percent(limit)}).`;
}

function gainEvidence(gains: readonly Gains[], untrained: number): EvidenceItem[] {
  return [
    { what: 'gain over a random policy in training', value: mean(gains.map(({ train }) => train)), unit: 'return' },
    { what: 'the same on held-out simulators', value: mean(gains.map(({ heldout }) => heldout)), unit: 'return' },
    { what: 'runs measured', value: gains.length, unit: 'runs' },
    { what: 'of these untrained', value: untrained, unit: 'runs' },
  ];
}

function gainsOf({ last }: RunHistory): Gains | null {
  const { trainGain = null, heldoutGain = null } = last ?? {};
  return trainGain === null || heldoutGain === null ? null : { train: trainGain, heldout: heldoutGain };
}
