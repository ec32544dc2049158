import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import type { Family, World } from '../simulators/contract.ts';
import { checkAlgorithm } from './check-algorithm.ts';
import { checkBudget } from './check-budget.ts';
import { seatsWithoutPolicy, simulatorsWithoutLearner, unknownSeats } from './check-learners.ts';
import { sharedSimulators, simulatorUses, unknownNames, unusableNames } from './check-panels.ts';
import { checkDecision } from './check-decision.ts';
import { checkDraws } from './check-draws.ts';
import { checkMembers } from './check-members.ts';
import { checkRanges } from './check-ranges.ts';
import { checkStrategy } from './check-strategy.ts';
import { checkTrainer } from './check-trainer.ts';
import type { Finding } from './finding.ts';
import { openFamily } from './open-family.ts';
import { isWithin, type Path, valueAt, withoutPaths } from './path.ts';
import { plannedFindings } from './planned-findings.ts';
import type { Registries } from './registries.ts';
import type { SettingSchemas } from './setting-schemas.ts';
import { simulatorNames, type SimulatorNames } from './simulator-names.ts';
import { readParts, type VariantParts } from './variant-parts.ts';

/** What all variants of an experiment have in common. */
export interface VariantContext {
  readonly family: Family;
  readonly specVersion: number;
  /** Undefined: all seats. */
  readonly learners: readonly number[] | undefined;
  readonly registries: Registries;
  readonly settingSchemas: SettingSchemas;
}

export interface VariantResult {
  /** Null when something is wrong with it. */
  readonly variant: ResolvedVariant | null;
  readonly findings: readonly Finding[];
}

interface WrittenSetting {
  readonly world: World;
  readonly isAsMeant: boolean;
  /** The setting without all that was found wrong. */
  readonly legal: Record<string, unknown>;
  readonly findings: readonly Finding[];
}

/** What can be told of a setting by its schema alone. */
function readWritten(setting: Record<string, unknown>, context: VariantContext): WrittenSetting {
  const planned = plannedFindings(setting);
  const dropped = planned.map((entry) => entry.dropped);
  const wanted = withoutPaths(setting, dropped) as Record<string, unknown>;
  const { world, isAsMeant, refused: unusable } = openFamily(context.family, wanted.family_options);
  const refused = context.settingSchemas
    .checkOf(
      world,
      wanted,
    )(wanted)
    // What simulators may hold depends on the world, e.g. on its seats: nothing is said of them in a world not meant.
    .filter(({ path }) => isAsMeant || path[0] !== 'simulators');
  const places = refused.map(({ path }) => path);
  return {
    world,
    isAsMeant,
    legal: withoutPaths(wanted, places) as Record<string, unknown>,
    findings: [
      ...planned.map(({ finding }) => finding),
      ...unusable,
      ...refused.filter(({ path }) => !dropped.some((outer) => isWithin(path, outer))),
    ],
  };
}

/**
 * What is wrong in the experiment outside of its variants, also where every variant sets something else. That something
 * is missing there is not wrong: a variant may supply it.
 */
export function checkBase(setting: Record<string, unknown>, context: VariantContext): Finding[] {
  return readWritten(setting, context).findings.filter(({ found }) => found !== 'nothing');
}

/**
 * Resolves one variant, merged into its experiment. What one step refuses is taken out before the next looks, so that
 * all steps report in one pass and none reports what follows from another's.
 */
export function resolveVariant(setting: Record<string, unknown>, context: VariantContext): VariantResult {
  const { world, isAsMeant, legal, findings: structural } = readWritten(setting, context);
  const { parts, findings: unread } = readParts(legal, world, context.registries);
  const isNew = ({ path }: Finding) =>
    !structural.some((known) => isWithin(path, known.path) || isWithin(known.path, path));
  const isJudged = ({ path }: Finding) => isAsMeant || path[0] !== 'simulators';
  const found = [...structural, ...unread.filter(isJudged).filter(isNew)];
  const meaning = isAsMeant ? checkMeaning(parts, found, context) : [];
  const variant = found.length + meaning.length === 0 ? assemble(parts, context) : null;
  const unpaid = variant === null ? [] : checkPaid(variant, context.registries);
  return {
    variant: unpaid.length === 0 ? variant : null,
    findings: [...found, ...meaning, ...unpaid],
  };
}

/** Whether the budget pays for every round, and if so for every learner. */
function checkPaid(variant: ResolvedVariant, registries: Registries): Finding[] {
  const unpaid = checkBudget(variant, registries);
  return unpaid.length > 0 ? unpaid : checkMembers(variant, registries);
}

/** The third step: whether the parts fit each other. A part that could not be read whole is not held against others. */
function checkMeaning(parts: VariantParts, structural: readonly Finding[], context: VariantContext): Finding[] {
  const { world, envelope, strategy } = parts;
  const isSound = (...keys: string[]) => !structural.some(({ path }) => keys.includes(String(path[0])));
  const learners = context.learners ?? allSeats(world);
  const names = simulatorNames(parts, learners);
  const uses = simulatorUses(envelope.panels, strategy);
  const named = [...unknownNames(uses, names, world), ...unusableNames(uses, names, parts.specNames)];
  const shared = sharedSimulators(uses, names, world);
  const idle = simulatorsWithoutLearner(
    uses.filter(({ panel }) => panel === 'train'),
    names,
    learners,
  );
  const known = [...named, ...shared, ...idle, ...seatsWithoutPolicy(uses, names, learners, world)];
  const ranges = isSound('randomization') ? checkRanges(envelope.randomization ?? {}, world.parameters) : [];
  const canAsk = strategy !== undefined && isSound('panels', 'strategy', 'randomization', 'simulators', 'algorithm');
  const asked = canAsk ? askStrategy(parts, names, context, checkStrategy) : [];
  const isDrawable = canAsk && known.length + ranges.length + asked.length === 0;
  return [
    ...known,
    ...checkAlgorithm(parts, learners, context.registries),
    ...ranges,
    ...asked.filter(({ path }) => !known.some((other) => isSamePlace(path, other.path) || other.path[0] === 'panels')),
    ...(isDrawable ? askStrategy(parts, names, context, checkDraws) : []),
    ...(isDrawable ? askStrategy(parts, names, context, checkDecision) : []),
    ...(isDrawable ? askStrategy(parts, names, context, checkTrainer) : []),
    ...checkVerdict(envelope.verdict),
  ];
}

/** A strategy speaks of a whole option where others speak of an item in it. */
function isSamePlace(one: Path, other: Path): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function askStrategy(
  parts: VariantParts,
  names: SimulatorNames,
  { registries, learners = allSeats(parts.world) }: VariantContext,
  check: typeof checkStrategy,
): Finding[] {
  const { panels, randomization } = parts.envelope;
  const strategy = parts.strategy as ResolvedVariant['strategy'] | undefined;
  const { algorithm, world } = parts;
  if (strategy === undefined || algorithm === undefined || panels === undefined || randomization === undefined)
    return [];
  const simulators = pick(names.known, names);
  // What is wrong with the budget is said elsewhere, and no reason to leave the rest unchecked.
  const { budget = { rounds: 1 } } = parts.envelope;
  return check({ strategy, algorithm, panels, randomization, learners, simulators, budget }, world, registries);
}

function checkVerdict(verdict: ResolvedVariant['verdict'] | undefined): Finding[] {
  if (verdict === undefined || verdict.watch <= verdict.collapsed) return [];
  return [
    {
      path: ['verdict', 'watch'],
      found: String(verdict.watch),
      expected: `at most verdict.collapsed, ${verdict.collapsed}`,
      remedy: 'Exchange the two limits.',
    },
  ];
}

function assemble(parts: VariantParts, { family, specVersion, learners }: VariantContext): ResolvedVariant {
  const { world, envelope } = parts;
  const panels = envelope.panels!;
  const used = simulatorUses(panels, parts.strategy).map(({ name }) => name);
  const sorted = learners?.toSorted((a, b) => a - b) ?? allSeats(world);
  return {
    spec_version: specVersion,
    family: family.name,
    family_version: world.version,
    family_options: world.options,
    learners: sorted,
    simulators: pick([...new Set(used)], simulatorNames(parts, sorted)),
    panels,
    randomization: envelope.randomization!,
    algorithm: parts.algorithm!,
    strategy: parts.strategy as ResolvedVariant['strategy'],
    budget: envelope.budget!,
    evaluation: envelope.evaluation!,
    verdict: envelope.verdict!,
    diversity: diversityOf(envelope.diversity!),
  };
}

/** Which pairs a waiver is for is found once all else is known to be right. */
function diversityOf({ metric, floor, waiver }: NonNullable<VariantParts['envelope']['diversity']>) {
  return {
    metric,
    ...(floor === undefined ? {} : { floor }),
    ...(waiver === undefined ? {} : { waiver: { reason: waiver, pairs: [] } }),
  };
}

function pick(wanted: readonly string[], names: SimulatorNames): ResolvedVariant['simulators'] {
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const simulator = names.find(name);
      return simulator === undefined ? [] : [[name, simulator]];
    }),
  );
}

function allSeats(world: World): number[] {
  return Array.from({ length: world.seatCount }, (_, seat) => seat);
}

/** Learners that do not exist in the world of a setting; the same for every variant, so asked once. */
export function checkLearners(setting: unknown, context: VariantContext): Finding[] {
  const { world, isAsMeant } = openFamily(context.family, valueAt(setting, ['family_options']));
  return isAsMeant && context.learners !== undefined ? unknownSeats(context.learners, world) : [];
}
