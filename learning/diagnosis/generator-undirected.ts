import { mean } from '../statistics/moments.ts';
import { admissions } from './admissions.ts';
import { unknown, type EvidenceItem, type Finding, type KnownProblem } from './contract.ts';
import { figure, percent } from './figures.ts';
import { failureDistances } from './failure-distances.ts';
import type { RunHistory, VariantHistory } from './history.ts';

/** Strategies that make simulators and claim to choose them well. */
const GENERATORS: readonly string[] = ['failure_driven', 'novelty_generator', 'adaptive'];
/** Even simulators chosen blindly are followed by a rise half of the time, when nothing else moves the return. */
const RISE_SHARE_MIN = 0.5;
/** Of fewer a share says nothing: three tosses of a coin show no head in one case of eight. */
const CHANGES_MIN = 4;

/** New simulators do not help: validation rarely rises after they enter, and drawing them at random is as good. */
export const generatorUndirected: KnownProblem = {
  id: 'generator_undirected',
  sign: 'new simulators do not help',
  remedy:
    'Mine validation failures, strategy "failure_driven"; or let chance choose, "random_generator", which scores nothing; or ' +
    'give "adaptive" another `score`, or more room by wider ranges in `randomization`. A fixed "pool" of simulators chosen ' +
    'by hand needs no generator.',
  examine,
};

function examine(history: VariantHistory): Finding {
  const { strategyKind, runs, randomSibling } = history;
  if (!GENERATORS.includes(strategyKind)) {
    return {
      found: 'no',
      headline: `The strategy ${strategyKind} does not choose new simulators by their use.`,
      evidence: [],
    };
  }
  const changes = runs.flatMap(validationChanges);
  if (changes.length < CHANGES_MIN) {
    return unknown(
      `New simulators entered between only ${changes.length} neighbouring validation evaluations of trained policies; it takes ${CHANGES_MIN}.`,
    );
  }
  const rises = changes.filter(({ change }) => change > 0);
  const share = rises.length / changes.length;
  const lead = leadOverRandom(history);
  const evidence: EvidenceItem[] = [
    { what: 'changes of the validation return that were rises', value: share, unit: '', limit: RISE_SHARE_MIN },
    { what: 'changes measured, with admissions in between', value: changes.length, unit: 'pairs' },
    { what: 'simulators after whose admission it rose', value: admitted(rises) / admitted(changes), unit: '' },
    { what: 'mean change of the validation return', value: mean(changes.map(({ change }) => change)), unit: 'return' },
    {
      what: `held-out return above that of ${randomSibling?.variant ?? 'random_generator'}, same seeds`,
      value: lead,
      unit: 'return',
      limit: 0,
    },
    ...failureEvidence(history),
  ];
  const rose = `Across admissions of new simulators the validation return rose in ${percent(share)} of ${changes.length} changes`;
  if (share >= RISE_SHARE_MIN) return { found: 'no', headline: `${rose}.`, evidence };
  if (lead === null)
    return unknown(`${rose}, but no finished variant with random_generator says what chance would reach.`, evidence);
  return {
    found: lead > 0 ? 'no' : 'yes',
    headline: `${rose}; with simulators drawn at random the held-out return is ${figure(Math.abs(lead))} ${lead > 0 ? 'lower' : 'higher'}.`,
    evidence,
  };
}

const admitted = (changes: readonly ValidationChange[]): number =>
  changes.reduce((sum, { admittedCount }) => sum + admittedCount, 0);

/** How much the simulators that entered have to do with what failed; null where nothing was mined. */
function failureEvidence({ runs, randomization }: VariantHistory): EvidenceItem[] {
  const entered = runs.flatMap((run) => run.entered);
  const made = entered.filter(({ isFromFailure }) => isFromFailure).length;
  const distances = runs.flatMap((run) => failureDistances(run, randomization));
  return [
    {
      what: 'new simulators that go back to a mined failure',
      value: entered.length === 0 ? null : made / entered.length,
      unit: '',
    },
    {
      what: 'distance of new simulators from mined failures, in widths of the ranges',
      value: distances.length === 0 ? null : mean(distances),
      unit: '',
    },
  ];
}

/** How the validation return changed between two evaluations, and how many simulators entered meanwhile. */
interface ValidationChange {
  readonly change: number;
  readonly admittedCount: number;
}

/**
 * From the last validation return before new simulators entered to the first after it: one change however many admissions
 * lie between the two evaluations, because their shares in it cannot be told apart. The change from the untrained policy
 * is left out: it is learning.
 */
function validationChanges({ pools, evaluations }: RunHistory): ValidationChange[] {
  const admitting = admissions(pools);
  const measured = evaluations.flatMap(({ round, validationReturn }) =>
    validationReturn === null || round === 0 ? [] : [{ round, validationReturn }],
  );
  return measured.slice(1).flatMap((after, index) => {
    const before = measured[index]!;
    const between = admitting.filter(({ round }) => before.round <= round && round < after.round);
    const admittedCount = between.reduce((sum, { count }) => sum + count, 0);
    return admittedCount === 0 ? [] : [{ change: after.validationReturn - before.validationReturn, admittedCount }];
  });
}

/** Mean over the seeds that both have of the difference in held-out return; null where there is none. */
function leadOverRandom({ runs, randomSibling }: VariantHistory): number | null {
  const differences = runs.flatMap(({ seed, last }) => {
    const own = last?.heldoutReturn ?? null;
    const other = randomSibling?.heldoutBySeed.get(seed) ?? null;
    return own === null || other === null ? [] : [own - other];
  });
  return differences.length === 0 ? null : mean(differences);
}
