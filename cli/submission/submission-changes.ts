import type { ResolvedExperiment, ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { differences, differenceText, type Difference } from '../../specification/differences.ts';

/** What another spec of an experiment says otherwise. */
export interface SpecChanges {
  /** Each as `place old → new`: no result depends on these. */
  readonly accepted: readonly string[];
  /** Whether runs are carried out in another way. */
  readonly changesExecution: boolean;
  /** Seeds after those that there are. */
  readonly appendedSeeds: readonly number[];
  /** Each as `place old → new`: these make another experiment. */
  readonly refused: readonly string[];
}

/** Divides what differs into what an experiment can take over while it stays what it is, and what it cannot. */
export function specChanges(stored: ResolvedExperiment, changed: ResolvedExperiment): SpecChanges {
  const { name, seeds } = stored;
  const isLonger = seeds.every((seed, index) => changed.seeds[index] === seed);
  const named = { name, ...(isLonger ? {} : { seeds }) };
  const refused = [
    ...differences(named, { ...named, name: changed.name, ...(isLonger ? {} : { seeds: changed.seeds }) }),
    ...variantDifferences(measuredParts(stored), measuredParts(changed)),
  ];
  return {
    accepted: submissionChanges(stored, changed),
    changesExecution: differences(writtenExecution(stored), writtenExecution(changed)).length > 0,
    appendedSeeds: isLonger ? changed.seeds.slice(seeds.length) : [],
    refused: refused.map(differenceText),
  };
}

/**
 * What two experiments of one identity say otherwise, each as `place old → new`: how runs are carried out, labels,
 * description, the output folder, and how panels are judged.
 */
export function submissionChanges(stored: ResolvedExperiment, submitted: ResolvedExperiment): string[] {
  return differences(changeable(stored), changeable(submitted)).map(differenceText);
}

/** Differences of variants by name; what all of them have alike is told once, as if it stood outside of them. */
export function variantDifferences(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const alike = new Map<string, { difference: Difference; names: string[] }>();
  for (const name of names) {
    for (const difference of differences(before[name], after[name])) {
      const text = differenceText(difference);
      const known = alike.get(text) ?? { difference, names: [] };
      alike.set(text, { difference, names: [...known.names, name] });
    }
  }
  return [...alike.values()].flatMap(({ difference, names: having }) => {
    if (having.length === names.size && difference.path.length > 0) return [difference];
    return having.map((name) => ({ ...difference, path: ['variants', name, ...difference.path] }));
  });
}

function measuredParts({ variants }: ResolvedExperiment): Record<string, Omit<ResolvedVariant, 'diversity'>> {
  return Object.fromEntries(
    Object.entries(variants).map(([name, { diversity: _judged, ...measured }]) => [name, measured] as const),
  );
}

/** The parts that no identity holds, as they stand in a spec. */
function changeable(experiment: ResolvedExperiment) {
  const { description, labels, output_dir, variants } = experiment;
  const judged = Object.entries(variants).map(([name, { diversity }]) => [name, { diversity }] as const);
  return {
    description,
    labels,
    execution: writtenExecution(experiment),
    output_dir,
    variants: Object.fromEntries(judged),
  };
}

/** Milliseconds repeat the timeouts as written. */
function writtenExecution({ execution }: ResolvedExperiment) {
  return { ...execution, timeouts_ms: undefined };
}
