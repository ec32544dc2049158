import type { CrossPlayRecord, RunPolicyRow } from '../../infra/postgres/cross-play-rows.ts';
import { crossPlaySides, haveSameSeats, seatedSimulator, type CrossPlay } from '../../learning/measures/cross-play.ts';
import { policiesFor, type CrossPlayPair, type FinishedRun } from '../../learning/measures/cross-play-pairs.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ResolvedExperiment, ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { contentHash, simulatorHash } from '../../specification/identity.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { catalogueSimulator } from '../../specification/simulator-names.ts';
import { unknownName } from '../simulators/open-world.ts';

export interface CrossPlayRequest {
  /** Of each pair. */
  readonly episodes: number;
  /** So many of the experiment's seeds, from the first on; null for all. */
  readonly seedCount: number | null;
  /** Whose physics it is; null for the first train simulator of the row's variant. */
  readonly simulator: string | null;
}

/** A pair that can play. */
export interface PlannedPlay {
  readonly play: CrossPlay;
  readonly simulatorName: string;
  readonly identity: Omit<CrossPlayRecord, 'returnMean' | 'returnStd'>;
}

interface Planner {
  /** The same for all pairs, so that all play from the same starts. */
  readonly evaluationSeed: number;
  /** @returns how a pair plays, or why it cannot */
  plan(pair: CrossPlayPair): PlannedPlay | { readonly reason: string };
}

/** Puts the policies of every run together. @param seeds that are wanted */
export function finishedRuns(rows: readonly RunPolicyRow[], seeds: readonly number[]): FinishedRun[] {
  const runs = new Map<string, FinishedRun>();
  for (const { variant, seed, kind, group, hash } of rows) {
    if (!seeds.includes(seed)) continue;
    const key = `${variant}/${seed}`;
    const run = runs.get(key) ?? { variant, seed, policies: {}, partners: {} };
    const held = kind === 'policy' ? 'policies' : 'partners';
    runs.set(key, { ...run, [held]: { ...run[held], [group]: hash } });
  }
  return [...runs.values()];
}

/** What a variant brings to a pair. */
interface Side {
  readonly variant: ResolvedVariant;
  readonly world: World;
}

/**
 * @throws REQUEST_BAD_ARGUMENT when a variant has no such simulator, or none to train on
 */
export function createPlanner({ variants }: ResolvedExperiment, request: CrossPlayRequest): Planner {
  const sides = new Map(
    Object.entries(variants).map(([name, variant]): [string, Side] => [
      name,
      { variant, world: openWorld(variant, DEFAULT_REGISTRIES) },
    ]),
  );
  const bases = new Map([...sides].map(([name, side]) => [name, baseSimulator(name, side, request.simulator)]));
  const evaluationSeed = Object.values(variants)[0]!.evaluation.seed;
  return {
    evaluationSeed,
    plan: ({ row, column }) => {
      const rowSide = sides.get(row.variant)!;
      const seated = seatPair(rowSide, sides.get(column.variant)!, { row, column });
      if ('reason' in seated) return seated;
      const { name, simulator } = bases.get(row.variant)!;
      const { world, variant } = rowSide;
      const play: CrossPlay = {
        world,
        simulator: seatedSimulator(simulator, { groups: world.groups, ...seated.columns }),
        ...seated.rows,
        mode: variant.evaluation.policy_mode,
        episodes: request.episodes,
        seed: evaluationSeed,
      };
      const identity = {
        rowVariant: row.variant,
        rowSeed: row.seed,
        columnVariant: column.variant,
        columnSeed: column.seed,
        playHash: playHash(play),
        simulatorHash: simulatorHash(world, simulator),
        learnerArtifacts: seated.rows.policies,
        partnerArtifacts: seated.columns.policies,
        evaluationSeed,
        episodes: request.episodes,
      };
      return { play, simulatorName: name, identity };
    },
  };
}

/** Two plays of one hash are one play: the partners are in the simulator, and worlds have versions. */
function playHash({ world, simulator, rows, policies, mode, episodes, seed }: CrossPlay): string {
  return contentHash({ simulator: simulatorHash(world, simulator), rows, policies, mode, episodes, seed });
}

type Seated = Pick<CrossPlay, 'rows' | 'policies'>;
type SeatedColumns = Omit<Parameters<typeof seatedSimulator>[1], 'groups'>;

function seatPair(
  { variant: { learners }, world }: Side,
  other: Side,
  { row, column }: CrossPlayPair,
): { readonly rows: Seated; readonly columns: SeatedColumns } | { readonly reason: string } {
  const { rows, columns } = crossPlaySides(world, learners);
  if (columns.length === 0) return { reason: 'The world has one seat: there is nobody to play with.' };
  if (!haveSameSeats(world, other.world)) {
    return { reason: `${row.variant} and ${column.variant} see or do different things: their family_options differ.` };
  }
  const { groups } = world;
  const own = policiesFor(row, rows, { groups, learners });
  const met = policiesFor(column, columns, { groups, learners });
  if ('missingRole' in own) return { reason: noPolicy(row.variant, own.missingRole) };
  if ('missingRole' in met) return { reason: noPolicy(column.variant, met.missingRole) };
  const mode = other.variant.evaluation.policy_mode;
  return { rows: { rows, policies: own.policies }, columns: { columns, policies: met.policies, mode } };
}

function noPolicy(variant: string, role: string): string {
  return `${variant} has no policy for the role ${role}: nobody learns it, and its strategy trains no partner.`;
}

function baseSimulator(
  variantName: string,
  { variant, world }: Side,
  wanted: string | null,
): { name: string; simulator: SimulatorData } {
  const name = wanted ?? variant.panels.train[0];
  if (name === undefined) {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${variantName} has no train panel whose first simulator to play in.`, {
      remedy: 'Name a simulator with `--simulator NAME`.',
    });
  }
  const simulator = variant.simulators[name] ?? catalogueSimulator(world, name);
  if (simulator !== undefined) return { name, simulator };
  const known = new Set([...Object.keys(variant.simulators), ...Object.keys(world.catalogue)]);
  throw unknownName('simulator', name, [...known]);
}
