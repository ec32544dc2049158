import type { Column } from '../../learning/results/column.ts';
import { DISTANCE_METRICS, type Distances } from '../../learning/distances/distances.ts';
import { areTooClose, floorsOfPair, type DistanceFloors } from '../../learning/distances/floors.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { contentHash } from '../../specification/identity.ts';
import { formatProblems } from '../../specification/format-problems.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { type GivenFloors, SimulatorDistances } from '../../specification/simulator-distances.ts';
import { catalogueSimulator } from '../../specification/simulator-names.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { openNamedWorld } from './open-world.ts';
import { readSpecFiles } from '../specs/spec-files.ts';
import { note, print } from '../terminal/terminal.ts';

/** Simulators of one world that are compared with each other. */
interface SimulatorSet {
  readonly world: World;
  readonly learners: readonly number[];
  readonly floor: GivenFloors;
  readonly simulators: ReadonlyMap<string, SimulatorData>;
}

/** All distances within a set. `floors` are of one simulator; a pair has the larger of both. */
interface DistanceMatrix {
  readonly family: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly learners: readonly number[];
  readonly simulators: readonly string[];
  readonly distances: readonly (readonly Distances[])[];
  readonly floors: readonly DistanceFloors[];
  /** Pairs below all floors. */
  readonly close: readonly (readonly [string, string])[];
}

/** Prints the distances between the built-in simulators of a family. */
export function showCatalogueDistances(family: string, options: unknown, format: 'table' | 'json'): void {
  printDistances([catalogueSet(openNamedWorld(family, options))], format);
}

/** Prints the distances between the simulators of an experiment file that is valid but for such distances. */
export async function showFileDistances(
  file: string,
  overrides: readonly string[],
  format: 'table' | 'json',
): Promise<ExitCode> {
  const [spec] = await readSpecFiles([file], overrides, { acceptsCloseSimulators: true });
  if (!spec!.ok) {
    note(`${formatProblems(file, spec!.problems)}\n`);
    return EXIT.request;
  }
  printDistances(experimentSets(spec!.experiment), format);
  return EXIT.done;
}

function printDistances(sets: readonly SimulatorSet[], format: 'table' | 'json'): void {
  const matrices = sets.map(distanceMatrix);
  if (format === 'table') print(matrices.map(matrixText).join('\n\n'));
  else print(jsonText(matrices.length === 1 ? documentOf(matrices[0]!) : matrices.map(documentOf), 2));
}

/** The built-in simulators of a world, with a learner on every seat that they leave free. */
function catalogueSet(world: World): SimulatorSet {
  const entries = Object.keys(world.catalogue).flatMap((name): [string, SimulatorData][] => {
    const simulator = catalogueSimulator(world, name);
    return simulator === undefined ? [] : [[name, simulator]];
  });
  return { world, learners: world.groups.flatMap(({ seats }) => seats), floor: {}, simulators: new Map(entries) };
}

/**
 * The simulators of an experiment: one set for variants of equal family options and floors. Where variants mean different
 * simulators by one name, the later ones are called after their variant too.
 */
function experimentSets({ variants }: ResolvedExperiment): SimulatorSet[] {
  const sets = new Map<string, SimulatorSet & { readonly simulators: Map<string, SimulatorData> }>();
  for (const [variantName, variant] of Object.entries(variants)) {
    const floor = variant.diversity.floor ?? {};
    const key = contentHash([variant.family_options, floor]);
    const world = openWorld(variant, DEFAULT_REGISTRIES);
    const set = sets.get(key) ?? {
      world,
      learners: variant.learners,
      floor,
      simulators: new Map<string, SimulatorData>(),
    };
    sets.set(key, set);
    for (const [name, simulator] of Object.entries(variant.simulators)) {
      const known = set.simulators.get(name);
      if (known === undefined) set.simulators.set(name, simulator);
      else if (contentHash(known) !== contentHash(simulator)) set.simulators.set(`${variantName}/${name}`, simulator);
    }
  }
  return [...sets.values()];
}

function distanceMatrix({ world, learners, floor, simulators }: SimulatorSet): DistanceMatrix {
  const measure = new SimulatorDistances(world, learners, floor);
  const names = [...simulators.keys()];
  const all = [...simulators.values()];
  const upper = all.map((a, row) => all.slice(row).map((b) => measure.between(a, b)));
  const distances = names.map((_, row) => names.map((_, column) => upperEntry(upper, row, column)));
  const floors = all.map((simulator) => measure.floors(simulator));
  const close = names.flatMap((name, row) =>
    names
      .map((other, column): readonly [string, string, number] => [name, other, column])
      .filter(([, , column]) => column > row)
      .filter(([, , column]) => areTooClose(distances[row]![column]!, floorsOfPair(floors[row]!, floors[column]!)))
      .map(([first, second]) => [first, second] as const),
  );
  const { family, options } = world;
  return { family, options, learners, simulators: names, distances, floors, close };
}

/** Every distance is symmetric, so half of them is measured. */
function upperEntry(upper: readonly (readonly Distances[])[], row: number, column: number): Distances {
  const [first, second] = row < column ? [row, column] : [column, row];
  return upper[first]![second - first]!;
}

function documentOf({ distances, floors, close, ...matrix }: DistanceMatrix): Record<string, unknown> {
  const metrics = DISTANCE_METRICS.map((metric) => [
    metric,
    {
      distances: distances.map((row) => row.map((entry) => entry[metric])),
      floors: floors.map((entry) => entry[metric]),
    },
  ]);
  return { ...matrix, metrics: Object.fromEntries(metrics) as unknown, close };
}

function matrixText(matrix: DistanceMatrix): string {
  const { family, learners, simulators, distances, floors, close } = matrix;
  const tables = DISTANCE_METRICS.map((metric) => {
    const columns: Column<number>[] = [
      { key: 'name', title: '', value: (row) => `${row + 1} ${simulators[row]!}` },
      ...simulators.map((_, column): Column<number> => ({
        key: String(column + 1),
        align: 'right',
        value: (row) => distanceText(distances[row]![column]![metric]),
      })),
      { key: 'floor', align: 'right', value: (row) => distanceText(floors[row]![metric]) },
    ];
    return `${metric}\n${listingText(columns, [...simulators.keys()], 'table')}`;
  });
  const pairs = close.map(([first, second]) => `  ${first} – ${second}`);
  return [
    `${family}, learners on ${learners.length === 1 ? 'seat' : 'seats'} ${learners.join(', ')}`,
    ...tables,
    pairs.length === 0
      ? 'Every pair differs by the floor of at least one metric.'
      : ['Too close by all three metrics to hold one out from the other:', ...pairs].join('\n'),
  ].join('\n\n');
}

function distanceText(value: number): string {
  return value === 0 ? '0' : value.toFixed(value < 0.1 ? 3 : 2);
}
