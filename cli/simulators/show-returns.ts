import type { Column } from '../../learning/results/column.ts';
import { probeSimulator } from '../../learning/distances/probe.ts';
import { mean, sampleStandardDeviation } from '../../learning/statistics/moments.ts';
import type { ResolvedExperiment, ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { contentHash } from '../../specification/identity.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { listingText, type ListingFormat } from '../table-formats/listing.ts';
import { readSpecFiles, type ValidSpec } from '../specs/spec-files.ts';
import { note, print } from '../terminal/terminal.ts';

/** As many as the random policy's reference of a run has. */
const EPISODES = 320;

interface ReturnsRow {
  readonly name: string;
  readonly panels: string;
  readonly random: Moments;
  readonly scripted: Moments;
}

interface Moments {
  readonly mean: number;
  readonly std: number;
}

const COLUMNS: readonly Column<ReturnsRow>[] = [
  { key: 'simulator', value: ({ name }) => name },
  { key: 'panels', value: ({ panels }) => panels },
  ...(['random', 'scripted'] as const).flatMap((player): Column<ReturnsRow>[] => [
    {
      key: player,
      align: 'right',
      value: (row) => row[player].mean,
      text: (row) => row[player].mean.toFixed(2),
    },
    {
      key: `${player}_std`,
      title: '± episodes',
      align: 'right',
      value: (row) => row[player].std,
      text: (row) => row[player].std.toFixed(2),
    },
  ]),
];

/** Prints what the random policy and the scripted reference get in every simulator of an experiment file. */
export async function showReturns(
  file: string,
  overrides: readonly string[],
  format: ListingFormat,
): Promise<ExitCode> {
  const [spec] = await readSpecFiles([file], overrides, { acceptsCloseSimulators: true });
  if (!spec!.ok) {
    note(`${formatProblems(file, spec!.problems)}\n`);
    return EXIT.request;
  }
  print(listingText(COLUMNS, returnsOf(spec!), format));
  return EXIT.done;
}

function returnsOf({ experiment }: ValidSpec): ReturnsRow[] {
  return distinctSimulators(experiment).map(({ name, variant, panels }) => {
    const world = openWorld(variant, DEFAULT_REGISTRIES);
    const { returns } = probeSimulator(world, variant.simulators[name]!, {
      learners: variant.learners,
      seed: variant.evaluation.seed,
      episodes: EPISODES,
    });
    const [random, scripted] = returns.map((values) => momentsOf([...values]));
    return { name, panels: panels.join(' '), random: random!, scripted: scripted! };
  });
}

function momentsOf(values: readonly number[]): Moments {
  return { mean: mean(values), std: sampleStandardDeviation(values) };
}

/** Every simulator of an experiment once, however many variants use it, with the panels it is in. */
function distinctSimulators({
  variants,
}: ResolvedExperiment): { name: string; variant: ResolvedVariant; panels: string[] }[] {
  const found = new Map<string, { name: string; variant: ResolvedVariant; panels: Set<string> }>();
  for (const variant of Object.values(variants)) {
    for (const [name, simulator] of Object.entries(variant.simulators)) {
      const key = contentHash([name, variant.family_options, simulator]);
      const known = found.get(key) ?? { name, variant, panels: new Set<string>() };
      found.set(key, known);
      for (const [panel, names] of Object.entries(variant.panels)) if (names.includes(name)) known.panels.add(panel);
    }
  }
  return [...found.values()].map((entry) => ({ ...entry, panels: [...entry.panels] }));
}
