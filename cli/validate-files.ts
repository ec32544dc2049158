import type { ResolvedExperiment } from '../schemas/resolved-experiment.ts';
import { closenessText } from '../specification/check-distances.ts';
import { formatProblems } from '../specification/format-problems.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { jsonText } from './json-text.ts';
import { pluralText } from '../web/documents/quantity-text.ts';
import { readSpecFiles, type SpecFile, type ValidSpec } from './spec-files.ts';
import { note, print } from './terminal.ts';
import { visibleCell } from './visible-text.ts';

/** Checks files and tells everything that is wrong with any of them. Starts nothing. */
export async function validateFiles(
  files: readonly string[],
  { overrides, isPrinting }: { overrides: readonly string[]; isPrinting: boolean },
): Promise<ExitCode> {
  const specs = await readSpecFiles(files, overrides);
  for (const spec of specs) {
    if (spec.ok) describeValid(spec, isPrinting);
    tellProblems(spec);
  }
  return specs.every(({ ok }) => ok) ? EXIT.done : EXIT.request;
}

/** The experiments of files that are all valid; null, after telling why not, when one is not. */
export async function readValidSpecs(
  files: readonly string[],
  overrides: readonly string[],
): Promise<readonly ValidSpec[] | null> {
  const specs = await readSpecFiles(files, overrides);
  for (const spec of specs) if (!spec.ok) tellProblems(spec);
  return specs.every(isValid) ? specs : null;
}

function isValid(spec: SpecFile): spec is ValidSpec {
  return spec.ok;
}

function describeValid({ file, experiment }: ValidSpec, isPrinting: boolean): void {
  const variantCount = Object.keys(experiment.variants).length;
  const size = `${pluralText(variantCount, 'variant')} × ${pluralText(experiment.seeds.length, 'seed')}`;
  const summary = `${file}: valid, ${size} = ${pluralText(variantCount * experiment.seeds.length, 'run')}`;
  if (isPrinting) print(jsonText(experiment, 2));
  else print(summary);
  for (const line of waivedPairs(experiment)) note(line);
}

/** What waivers let pass: held-out simulators that are all but trained on. Told once where variants share it. */
function waivedPairs({ variants }: ResolvedExperiment): Set<string> {
  return new Set(
    Object.values(variants).flatMap(({ diversity: { waiver } }) =>
      (waiver?.pairs ?? []).map(
        (pair) => `waived (${visibleCell(waiver!.reason)}): "${pair.heldout}" is close to ${closenessText(pair)}`,
      ),
    ),
  );
}

/** Tells what is wrong with a file, or what of a valid one cannot be started here. */
export function tellProblems(spec: SpecFile): void {
  const title = spec.ok ? `${spec.file}: valid, but it cannot be started here` : spec.file;
  const problems = spec.ok ? spec.unavailable : spec.problems;
  if (problems.length > 0) note(`${formatProblems(title, problems)}\n`);
}
