import { mean } from '../moments.ts';
import { admissionRounds } from './admissions.ts';
import { unknown, type EvidenceItem, type Finding, type KnownProblem } from './contract.ts';
import { figure, percent } from './figures.ts';
import type { RunHistory, VariantHistory } from './history.ts';

/** Strategies that make simulators and claim to choose them well. */
const GENERATORS: readonly string[] = ['failure_driven', 'novelty_generator', 'adaptive'];
/** Even simulators chosen blindly are followed by a rise half of the time, when nothing else moves the return. */
const RISE_SHARE_MIN = 0.5;

/** New simulators do not help: validation rarely rises after they enter, and drawing them at random is as good. */
export const generatorUndirected: KnownProblem = {
  id: 'generator_undirected',
  sign: 'new simulators do not help',
  remedy:
    'Make simulators from the episodes that fail on validation: strategy "failure_driven", compared with "random_generator".',
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
  const rises = runs.flatMap(validationRises);
  if (rises.length === 0) {
    return unknown('No admission of new simulators has a validation return both before and after it.');
  }
  const share = rises.filter((rise) => rise > 0).length / rises.length;
  const lead = leadOverRandom(history);
  const evidence: EvidenceItem[] = [
    { what: 'admissions after which the validation return rose', value: share, unit: '', limit: RISE_SHARE_MIN },
    { what: 'admissions measured', value: rises.length, unit: 'admissions' },
    { what: 'mean change of the validation return after one', value: mean(rises), unit: 'return' },
    {
      what: `held-out return above that of ${randomSibling?.variant ?? 'random_generator'}, same seeds`,
      value: lead,
      unit: 'return',
      limit: 0,
    },
    { what: 'distance of new simulators from mined failures', value: null, unit: '' },
  ];
  const rose = `The validation return rose after ${percent(share)} of ${rises.length} admissions of new simulators`;
  if (share >= RISE_SHARE_MIN) return { found: 'no', headline: `${rose}.`, evidence };
  if (lead === null)
    return unknown(`${rose}, but no finished variant with random_generator says what chance would reach.`, evidence);
  return {
    found: lead > 0 ? 'no' : 'yes',
    headline: `${rose}; with simulators drawn at random the held-out return is ${figure(Math.abs(lead))} ${lead > 0 ? 'lower' : 'higher'}.`,
    evidence,
  };
}

/** For each admission: the first validation return after it minus the last one before, where both were measured. */
function validationRises({ pools, evaluations }: RunHistory): number[] {
  const measured = evaluations.flatMap(({ round, validationReturn }) =>
    validationReturn === null ? [] : [{ round, validationReturn }],
  );
  return admissionRounds(pools).flatMap((admitted) => {
    const before = measured.findLast(({ round }) => round <= admitted);
    const after = measured.find(({ round }) => round > admitted);
    return before === undefined || after === undefined ? [] : [after.validationReturn - before.validationReturn];
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
