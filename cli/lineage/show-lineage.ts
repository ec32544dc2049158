import type { Database } from '../../infra/postgres/database.ts';
import { findSimulators, listLineages, type RunLineage } from '../../infra/postgres/lineage-rows.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { findTarget, isInScope, type Scope, scopeOf } from '../runs/find-target.ts';
import { DISTANCE_COLUMNS, LIFE_COLUMNS, type LifeRow, POOL_COLUMNS } from './lineage-columns.ts';
import { lineageText, type NearestTests, summaryText } from './lineage-text.ts';
import { ancestryOf, whyText } from './lineage-why.ts';
import { withImports } from '../imports/lineage-imports.ts';
import { listingText, type ListingFormat } from '../table-formats/listing.ts';
import { unknownName } from '../simulators/open-world.ts';
import { withDatabase } from '../services/service-session.ts';
import { simulatorLives, type SimulatorLife } from '../../web/documents/simulator-lives.ts';
import { note, print } from '../terminal/terminal.ts';
import { testDistances } from './test-distances.ts';

export interface LineageRequest extends Scope {
  /** The one simulator that is asked about; undefined for all. */
  readonly simulator: string | undefined;
  readonly by: 'simulator' | 'round';
  /** Whether candidates that did not enter are shown. */
  readonly candidates: boolean;
  readonly distances: boolean;
  readonly format: ListingFormat;
}

/** Prints where the simulators of an experiment or a run came from and what became of them. */
export async function showLineage(id: string, request: LineageRequest): Promise<void> {
  await withDatabase(async (database) => {
    const { text, remark } = await lineageOf(database, id, request);
    if (text !== null) print(text);
    if (remark !== null) note(remark);
  });
}

interface Shown {
  readonly text: string | null;
  /** What is worth knowing beside it. */
  readonly remark: string | null;
}

/** The runs that were asked for, each with the distances that were asked for. */
interface Asked {
  readonly lineages: readonly RunLineage[];
  readonly nearest: readonly NearestTests[];
  /** Whether a run, a variant or a seed was named. */
  readonly isNarrow: boolean;
}

/** @throws REQUEST_BAD_ARGUMENT when no run has a simulator of the name asked for */
async function lineageOf(database: Database, id: string, request: LineageRequest): Promise<Shown> {
  const target = await findTarget(database, id);
  const scope = scopeOf(target, request);
  const ids = target.runs.filter((run) => isInScope(run, scope)).map((run) => run.id);
  // A simulator that is asked for by name may be one that was refused.
  const refused = request.candidates || request.simulator !== undefined;
  const lineages = await withImports(database, await listLineages(database, ids, { refused }));
  if (request.by === 'round') return { text: poolsText(lineages, request.format), remark: null };
  const { resolved } = target.experiment;
  const nearest = request.distances ? await distancesOf(database, lineages, resolved) : lineages.map(() => null);
  const isNarrow = scope.variant !== undefined || scope.seed !== undefined || lineages.length === 1;
  const asked = { lineages, nearest, isNarrow };
  return request.simulator === undefined ? allOf(asked, request) : oneOf(asked, request.simulator, request);
}

function poolsText(lineages: readonly RunLineage[], format: ListingFormat): string {
  const rows = lineages.flatMap(({ variant, seed, pools }) => pools.map((entry) => ({ variant, seed, ...entry })));
  return listingText(POOL_COLUMNS, rows, format);
}

/** Distances of all that ever was in a pool; variants may differ in their test panels. */
async function distancesOf(
  database: Database,
  lineages: readonly RunLineage[],
  { variants }: ResolvedExperiment,
): Promise<NearestTests[]> {
  const known = new Map<string, Map<string, NonNullable<LifeRow['nearest']>>>();
  const all: NearestTests[] = [];
  for (const { variant, pools } of lineages) {
    const ofVariant = known.get(variant) ?? new Map<string, NonNullable<LifeRow['nearest']>>();
    known.set(variant, ofVariant);
    const hashes = pools.map(({ simulatorHash }) => simulatorHash).filter((hash) => !ofVariant.has(hash));
    const simulators = await findSimulators(database, [...new Set(hashes)]);
    for (const [hash, distance] of testDistances(variants[variant]!, simulators)) ofVariant.set(hash, distance);
    all.push(ofVariant);
  }
  return all;
}

function allOf({ lineages, nearest, isNarrow }: Asked, { format, distances }: LineageRequest): Shown {
  if (format !== 'table') {
    const rows = lineages.flatMap((lineage, index) => lifeRows(lineage, simulatorLives(lineage), nearest[index]!));
    return { text: livesText(rows, { distances, format }), remark: null };
  }
  if (lineages.length === 0) return { text: null, remark: 'No run has a pool yet.' };
  if (!isNarrow) return { text: summaryText(lineages, nearest), remark: null };
  return {
    text: lineages.map((lineage, index) => lineageText(lineage, nearest[index]!)).join('\n\n'),
    remark: null,
  };
}

/** One simulator by its name, of the first run that has one, in data of all of them. */
function oneOf({ lineages, nearest }: Asked, name: string, { format, distances }: LineageRequest): Shown {
  const found = lineages.flatMap((lineage, index) => {
    const ancestry = ancestryOf(lineage, name);
    return ancestry.length === 0 ? [] : [{ lineage, ancestry, nearest: nearest[index]! }];
  });
  const [first] = found;
  if (first === undefined) {
    const names = lineages.flatMap((lineage) => lineage.pools.map((entry) => entry.name));
    throw unknownName('simulator in these pools', name, [...new Set(names)]);
  }
  if (format !== 'table') {
    const rows = found.flatMap((each) => lifeRows(each.lineage, each.ancestry, each.nearest));
    return { text: livesText(rows, { distances, format }), remark: null };
  }
  const others = found.length - 1;
  return {
    text: whyText(first.lineage, first.ancestry, first.nearest),
    remark:
      others === 0 ? null : `Other runs have one of that name, too: ${others}. Name a run, EXPERIMENT/VARIANT/SEED.`,
  };
}

function lifeRows(
  { runId, variant, seed, imports }: RunLineage,
  lives: readonly SimulatorLife[],
  nearest: NearestTests,
): LifeRow[] {
  return lives.map((life) => ({
    ...life,
    runId,
    variant,
    seed,
    nearest: nearest?.get(life.hash) ?? null,
    imports: (imports?.get(life.hash) ?? []).map(({ reference }) => reference),
  }));
}

function livesText(
  rows: readonly LifeRow[],
  { distances, format }: Pick<LineageRequest, 'distances' | 'format'>,
): string {
  return listingText(distances ? [...LIFE_COLUMNS, ...DISTANCE_COLUMNS] : LIFE_COLUMNS, rows, format);
}
