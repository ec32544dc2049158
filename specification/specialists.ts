import type { ResolvedVariant, SpecialistKind } from '../schemas/resolved-experiment.ts';
import type { Finding } from './finding.ts';
import { simulatorHash } from './identity.ts';
import { openFamily } from './open-family.ts';
import { checkRunCount, checkVariantCount, type HeadRead } from './read-head.ts';
import { resolveVariant, type VariantContext } from './resolve-variant.ts';

type Variants = Readonly<Record<string, ResolvedVariant>>;

/** What a spec becomes beyond the variants that its author wrote. */
export interface SpecialistsRead {
  readonly variants: Variants;
  /** By name of the variant, which of the two it is. */
  readonly kinds: Readonly<Record<string, SpecialistKind>>;
  readonly findings: readonly Finding[];
  /** What resolves and still cannot be started by this version. */
}

interface SpecialistRequest {
  /** The experiment without its head and its variants: a specialist has the algorithm, budget and evaluation of these. */
  readonly base: Readonly<Record<string, unknown>>;
  readonly read: HeadRead;
  /** Variants of the spec that could be resolved. */
  readonly written: Variants;
  readonly context: VariantContext;
}

/** A specialist before it is resolved. */
interface Specialist {
  readonly kind: SpecialistKind;
  readonly name: string;
  /** Who holds these simulators out. */
  readonly variant: ResolvedVariant;
  readonly simulators: readonly string[];
}

const NONE: SpecialistsRead = { variants: {}, kinds: {}, findings: [] };

/**
 * The variants that `specialists` asks for: trained on what is held out from the others, they tell what could have been
 * reached there. Each is a variant of its own, so held out stays held out: nobody tests what it trains on.
 */
export function resolveSpecialists(request: SpecialistRequest): SpecialistsRead {
  const { read, written, context } = request;
  const asked = read.head.specialists ?? [];
  if (asked.length === 0) return NONE;
  const specialists = withNames([
    ...(asked.includes('each') ? testSimulators(written, context) : []),
    ...(asked.includes('panel') ? testPanels(written, context) : []),
  ]);
  const results = specialists.map(({ name, ...specialist }) => {
    const { variant, findings } = resolveVariant(settingOf(specialist, request), context);
    const placed = (found: readonly Finding[]) => found.map((finding) => placedFinding(finding, name));
    return { name, variant, findings: placed(findings) };
  });
  return {
    variants: Object.fromEntries(results.flatMap(({ name, variant }) => (variant === null ? [] : [[name, variant]]))),
    kinds: Object.fromEntries(specialists.map(({ name, kind }) => [name, kind])),
    findings: [...checkNames(specialists, request), ...results.flatMap(({ findings }) => findings)],
  };
}

/** One for every simulator of any test panel; simulators of equal content are one, under the name that comes first. */
function testSimulators(written: Variants, context: VariantContext): Specialist[] {
  const byHash = new Map<string, Specialist>();
  for (const variant of Object.values(written)) {
    for (const name of variant.panels.test) {
      const hash = hashOf(name, variant, context);
      if (byHash.has(hash)) continue;
      byHash.set(hash, { kind: 'each', name: `specialist.${name}`, variant, simulators: [name] });
    }
  }
  return [...byHash.values()];
}

/** One for every test panel; panels of equal content are one, whatever their order. */
function testPanels(written: Variants, context: VariantContext): Specialist[] {
  const byContent = new Map<string, Specialist>();
  for (const variant of Object.values(written)) {
    const simulators = variant.panels.test;
    const hashes = simulators.map((name) => hashOf(name, variant, context));
    const content = hashes.toSorted().join(' ');
    if (simulators.length === 0 || byContent.has(content)) continue;
    byContent.set(content, { kind: 'panel', name: 'specialist.panel', variant, simulators });
  }
  return [...byContent.values()];
}

function hashOf(name: string, variant: ResolvedVariant, { family }: VariantContext): string {
  return simulatorHash(openFamily(family, variant.family_options).world, variant.simulators[name]!);
}

/** Two of one name differ in content; the later ones are numbered. */
function withNames(specialists: readonly Specialist[]): Specialist[] {
  const taken = new Set<string>();
  return specialists.map((specialist) => {
    let { name } = specialist;
    for (let number = 2; taken.has(name); number += 1) name = `${specialist.name}.${number}`;
    taken.add(name);
    return { ...specialist, name };
  });
}

/** It trains on nothing but these simulators, so nothing else of a setting concerns it. */
function settingOf({ kind, variant, simulators }: Omit<Specialist, 'name'>, { base }: SpecialistRequest) {
  const own = Object.entries(base).filter(([key]) => OWN_KEYS.includes(key));
  return {
    ...Object.fromEntries(own),
    family_options: variant.family_options,
    simulators: Object.fromEntries(simulators.map((name) => [name, variant.simulators[name]])),
    panels: { train: simulators, validation: [], test: [] },
    strategy:
      kind === 'each' ? { kind: 'frozen', simulator: simulators[0] } : { kind: 'pool', size: simulators.length },
  };
}

const OWN_KEYS = ['algorithm', 'budget', 'evaluation'];

/** What is wrong in a part that the author wrote stands there; the rest of the variant was made by asking for it. */
function placedFinding(finding: Finding, variant: string): Finding {
  const isWritten = OWN_KEYS.includes(String(finding.path[0]));
  return { ...finding, path: isWritten ? finding.path : ['specialists'], variant };
}

function checkNames(specialists: readonly Specialist[], { read, written }: SpecialistRequest): Finding[] {
  const overrides = read.overrides ?? {};
  const areAllRead = Object.keys(written).length === Object.keys(overrides).length;
  if (specialists.length === 0) return areAllRead ? [nothingHeldOut(read)] : [];
  const taken = specialists.filter(({ name }) => Object.hasOwn(overrides, name));
  return [...taken.map(takenName), ...tooMany(specialists, read)];
}

function nothingHeldOut({ head }: HeadRead): Finding {
  return {
    path: ['specialists'],
    found: JSON.stringify(head.specialists),
    expected: 'a test panel to train on, and no variant has one',
    remedy: 'Name simulators in panels.test, or leave `specialists` out.',
  };
}

function takenName({ name, kind }: Specialist): Finding {
  return {
    path: ['variants', name],
    found: `"${name}", which is also the name of a variant that specialists asks for with "${kind}"`,
    expected: 'variants of different names',
    remedy: `Rename the variant, or take "${kind}" out of specialists.`,
  };
}

/** Only where it is the specialists that make too many of the variants. */
function tooMany(specialists: readonly Specialist[], { head, overrides }: HeadRead): Finding[] {
  const added = Object.fromEntries(specialists.map(({ name }) => [name, {}]));
  const count = (variants: typeof overrides) => [
    ...checkVariantCount(variants),
    ...checkRunCount({ ...head, variants: variants ?? {} }),
  ];
  return count(overrides).length > 0 ? [] : count({ ...overrides, ...added });
}
