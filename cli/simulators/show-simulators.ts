import type { Column } from '../../learning/results/column.ts';
import type { CatalogueEntry } from '../../simulators/contract.ts';
import { catalogueSimulator } from '../../specification/simulator-names.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText, type ListingFormat } from '../table-formats/listing.ts';
import { openNamedWorld } from './open-world.ts';
import { print } from '../terminal/terminal.ts';

interface Request {
  readonly family: string;
  readonly options: unknown;
  readonly format: ListingFormat;
}

/** Prints the catalogue of a family, or one of its simulators. @returns whether there is one of that name */
export function showSimulators(name: string | undefined, { family, options, format }: Request): boolean {
  const world = openNamedWorld(family, options);
  if (name === undefined) {
    print(listingText(CATALOGUE_COLUMNS, Object.entries(world.catalogue), format));
    return true;
  }
  const simulator = catalogueSimulator(world, name);
  if (simulator !== undefined) print(jsonText(simulator, 2));
  return simulator !== undefined;
}

const CATALOGUE_COLUMNS: readonly Column<[name: string, entry: CatalogueEntry]>[] = [
  { key: 'name', value: ([name]) => name },
  { key: 'summary', value: ([, { summary }]) => summary },
];
