import type { ResolvedExperiment } from '../schemas/resolved-experiment.ts';
import { formatPath, isRecord, type Path } from '../specification/path.ts';

/**
 * What two experiments of one identity say otherwise, each as `place old → new`: how runs are carried out, labels,
 * description, the output folder, and how panels are judged.
 */
export function submissionChanges(stored: ResolvedExperiment, submitted: ResolvedExperiment): string[] {
  return changesBetween(changeable(stored), changeable(submitted), []);
}

/** The parts that no identity holds, as they stand in a spec. */
function changeable({ description, labels, execution, output_dir, variants }: ResolvedExperiment) {
  // Milliseconds repeat the timeouts as written.
  const written = { ...execution, timeouts_ms: undefined };
  const judged = Object.entries(variants).map(([name, { diversity }]) => [name, { diversity }] as const);
  return { description, labels, execution: written, output_dir, variants: Object.fromEntries(judged) };
}

function changesBetween(before: unknown, after: unknown, path: Path): string[] {
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => changesBetween(before[key], after[key], [...path, key]));
  }
  const [old, current] = [before, after].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  return old === current ? [] : [`${formatPath(path)} ${old} → ${current}`];
}
