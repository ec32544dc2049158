import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installationRoot } from '../../infra/installation.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { Problem } from '../../schemas/problem.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { DEFAULT_REGISTRIES, type Registries } from '../../specification/registries.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { parseDocument } from '../../specification/parse-document.ts';
import { resolveExperiment } from '../../specification/resolve.ts';
import { commentedJson } from './commented-json.ts';
import { FAMILY_STARTS, startFromCatalogue, type FamilyStart } from './family-start.ts';
import { startDocument, type StartChoices } from './start-document.ts';

const SCHEMA = 'schemas/generated/experiment.schema.json';

export interface Start {
  readonly text: string;
  readonly experiment: ResolvedExperiment;
}

/**
 * The text of a first experiment, which is valid as it stands.
 * @param file where it is going to stand, so that its editor finds the schema
 * @throws DEFECT_INVARIANT when it is not valid
 */
export function makeStart(choices: StartChoices, file: string, registries: Registries = DEFAULT_REGISTRIES): Start {
  const family = registries.families[choices.family]!;
  const chosen = FAMILY_STARTS[family.name];
  if (chosen !== undefined) return validStart(read(choices, chosen, file, registries));
  const world = family.open(family.optionsSchema.parse({}));
  // Of the catalogue, what is too close to what is trained on is no test.
  const skipped: string[] = [];
  for (;;) {
    const start = startFromCatalogue(world, skipped);
    const made = read(choices, start, file, registries);
    const close = made.problems.flatMap(({ path: place }) => /^panels\.test\[(\d+)\]$/.exec(place)?.[1] ?? []);
    if (close.length === 0) return validStart(made);
    skipped.push(...close.map((index) => start.panels.test[Number(index)]!));
  }
}

interface Read {
  readonly text: string;
  readonly experiment: ResolvedExperiment | null;
  readonly problems: readonly Problem[];
}

/** What a start means, read as a file would be. */
function read(choices: StartChoices, start: FamilyStart, file: string, registries: Registries): Read {
  const { document, comments } = startDocument(choices, start, schemaPlace(file));
  const text = commentedJson(document, comments);
  const parsed = parseDocument(text);
  if (!parsed.ok) return { text, experiment: null, problems: parsed.problems };
  const resolution = resolveExperiment(parsed.document, { fileName: choices.name, registries });
  if (!resolution.ok) return { text, experiment: null, problems: resolution.problems };
  return { text, experiment: resolution.experiment, problems: resolution.unavailable };
}

function validStart({ text, experiment, problems }: Read): Start {
  if (experiment !== null && problems.length === 0) return { text, experiment };
  throw new ThawError('DEFECT_INVARIANT', formatProblems('A start is not valid', problems));
}

/** The schema as a file beside an experiment names it: relative within the installation, by its address elsewhere. */
function schemaPlace(file: string): string {
  const schema = path.join(installationRoot(), SCHEMA);
  const relative = path.relative(path.dirname(path.resolve(file)), schema);
  const isInside = !path.relative(installationRoot(), path.resolve(file)).startsWith('..');
  if (!isInside) return pathToFileURL(schema).href;
  return relative.startsWith('.') ? relative : `./${relative}`;
}
