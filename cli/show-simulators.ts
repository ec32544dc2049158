import type { PoolRow } from '../infra/postgres/result-rows.ts';
import type { CatalogueEntry } from '../simulators/contract.ts';
import { catalogueSimulator } from '../specification/simulator-names.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { jsonText } from './json-text.ts';
import { listingText, type Column, type ListingFormat } from './listing.ts';
import { openNamedWorld } from './open-world.ts';
import { print } from './terminal.ts';

interface Request {
  readonly family: string;
  readonly options: unknown;
  readonly format: ListingFormat;
}

/** Prints the catalogue of a family, one of its simulators, or the pools of an experiment. */
export async function showSimulators(
  name: string | undefined,
  { family, options, format }: Request,
): Promise<ExitCode> {
  const world = openNamedWorld(family, options);
  if (name === undefined) {
    print(listingText(CATALOGUE_COLUMNS, Object.entries(world.catalogue), format));
    return EXIT.done;
  }
  const simulator = catalogueSimulator(world, name);
  if (simulator === undefined) print(listingText(POOL_COLUMNS, await poolsOf(name), format));
  else print(jsonText(simulator, 2));
  return EXIT.done;
}

async function poolsOf(id: string): Promise<PoolRow[]> {
  const { withDatabase } = await import('./service-session.ts');
  const { findExperiment } = await import('../infra/postgres/experiment-rows.ts');
  const { listPools } = await import('../infra/postgres/result-rows.ts');
  return withDatabase(async (database) => listPools(database, (await findExperiment(database, id)).id));
}

const CATALOGUE_COLUMNS: readonly Column<[name: string, entry: CatalogueEntry]>[] = [
  { key: 'name', value: ([name]) => name },
  { key: 'summary', value: ([, { summary }]) => summary },
];

const POOL_COLUMNS: readonly Column<PoolRow>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'round', title: 'from round', align: 'right', value: ({ round }) => round },
  { key: 'simulator', value: ({ name }) => name },
  { key: 'weight', align: 'right', value: ({ weight }) => weight, text: ({ weight }) => weight.toFixed(3) },
  { key: 'parents', value: ({ parents }) => parents.join(' ') },
  { key: 'reason', value: ({ reason }) => reason },
  { key: 'hash', value: ({ simulatorHash }) => simulatorHash, text: ({ simulatorHash }) => simulatorHash.slice(0, 8) },
];
