import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { closenessText } from '../../specification/check-distances.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { type ImportLookup, RUNNING_LOOKUP } from '../imports/import-lookup.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import { readSpecFiles, type SpecFile, type ValidSpec } from './spec-files.ts';
import { note, print } from '../terminal/terminal.ts';
import { visibleCell } from '../terminal/visible-text.ts';

/** Checks files and tells everything that is wrong with any of them. Starts nothing. */
export async function validateFiles(
  files: readonly string[],
  { overrides, isPrinting }: { overrides: readonly string[]; isPrinting: boolean },
): Promise<ExitCode> {
  const specs = await readSpecFiles(files, overrides, { imports: RUNNING_LOOKUP });
  for (const spec of specs) {
    if (spec.ok) describeValid(spec, isPrinting);
    tellProblems(spec);
  }
  return specs.every(({ ok }) => ok) ? EXIT.done : EXIT.request;
}

/**
 * The experiments of files that are all valid; null, after telling why not, when one is not.
 * @param imports who is asked about imports, see `readSpecFiles`
 */
export async function readValidSpecs(
  files: readonly string[],
  overrides: readonly string[],
  imports?: ImportLookup,
): Promise<readonly ValidSpec[] | null> {
  const specs = await readSpecFiles(files, overrides, { ...(imports && { imports }) });
  for (const spec of specs) if (!spec.ok) tellProblems(spec);
  return specs.every(isValid) ? specs : null;
}

function isValid(spec: SpecFile): spec is ValidSpec {
  return spec.ok;
}

function describeValid(spec: ValidSpec, isPrinting: boolean): void {
  const { file, experiment } = spec;
  const variantCount = Object.keys(experiment.variants).length;
  const size = `${pluralText(variantCount, 'variant')} × ${pluralText(experiment.seeds.length, 'seed')}`;
  const summary = `${file}: valid, ${size} = ${pluralText(variantCount * experiment.seeds.length, 'run')}`;
  if (isPrinting) print(jsonText(experiment, 2));
  else print(summary);
  for (const line of waivedPairs(experiment)) note(line);
  noteUnchecked(spec);
}

/** Says which imports were not looked at, because the services that know them do not run. */
export function noteUnchecked({ file, unchecked = [] }: Pick<ValidSpec, 'file' | 'unchecked'>): void {
  if (unchecked.length === 0) return;
  note(
    `${file}: not checked: ${limitedNames(unchecked)}. No services run that know what is imported, so whether these are there ` +
      'and fit was not looked at, and something else stands in for them here. `thaw up` starts services; `thaw run` and ' +
      '`thaw submit` check it before anything starts.',
  );
}

const NAMES_MAX = 5;

function limitedNames(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return names.slice(0, NAMES_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
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
