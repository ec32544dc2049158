import type { PartnerData, SimulatorData, World } from '../../simulators/contract.ts';
import { PERTURBATION_SCALES } from '../../simulators/perturbed-panel.ts';
import type { WeightedSimulator } from '../rollout/episode-source.ts';

/** One thing about the training pool made different, to see what the policy loses by it. */
export interface SensitivityChange {
  readonly kind: 'rule' | 'partner';
  /** Path of the rule, e.g. `rules.damping`; or name of the scripted policy, with its number where it needs one. */
  readonly name: string;
  /** What a rule is scaled by; null of a partner. */
  readonly factor: number | null;
  /** The pool with the change; its weights sum to what those of the pool do. */
  readonly simulators: readonly WeightedSimulator[];
}

export interface PartnerChanges {
  readonly changes: readonly SensitivityChange[];
  /** Scripted policies that are made of numbers without an end to them, such as weights: they are not swept. */
  readonly leftOut: readonly string[];
}

/**
 * The pool with each real rule parameter scaled by 0.8, 0.95, 1.05 and 1.2 in turn, clipped to its range; a range that it
 * is drawn from likewise. A simulator in which the rule is 0, or at the end of its range already, stays as it is; there
 * is no change where all of them do. In the order of the world's parameters, factors ascending.
 */
export function ruleChanges(world: World, pool: readonly WeightedSimulator[]): SensitivityChange[] {
  const rules = world.parameters.filter(({ path, kind }) => kind === 'real' && path.startsWith('rules.'));
  return rules.flatMap(({ path, low, high }) =>
    PERTURBATION_SCALES.flatMap((factor): SensitivityChange[] => {
      const scale = (value: number): number => Math.min(high, Math.max(low, factor * value));
      const simulators = pool.map((entry) => withRule(entry, path, scale));
      const isChanged = contentOf(simulators) !== contentOf(pool);
      return isChanged ? [{ kind: 'rule', name: path, factor, simulators }] : [];
    }),
  );
}

/**
 * The pool with each scripted policy of the family in turn on every seat of a partner, whoever held it; seats whose role
 * does not know the policy keep whom they have. A policy that needs one whole number is taken with every number it may
 * have, e.g. `fixed_landmark landmark=0`. Simulators that become equal become one. In the order of the family's policies;
 * none when every seat learns.
 *
 * @param learners seats that learn
 */
export function partnerChanges(
  world: World,
  pool: readonly WeightedSimulator[],
  learners: readonly number[],
): PartnerChanges {
  const seats = world.groups.flatMap((group) => group.seats).filter((seat) => !learners.includes(seat));
  const changes: SensitivityChange[] = [];
  const leftOut: string[] = [];
  for (const policy of world.scriptedPolicies) {
    const choices = seats.map((seat) => choicesOf(world, seat, policy));
    const seatings = seatingsByName(choices.flatMap(({ seated }) => seated));
    for (const [name, partners] of seatings) {
      const simulators = merged(pool.map((entry) => withPartners(entry, partners)));
      changes.push({ kind: 'partner', name, factor: null, simulators });
    }
    if (seatings.size === 0 && choices.some(({ isUnlisted }) => isUnlisted)) leftOut.push(policy);
  }
  return { changes, leftOut };
}

function withRule(entry: WeightedSimulator, path: string, scale: (value: number) => number): WeightedSimulator {
  const { simulator, randomization } = entry;
  const rule = path.slice('rules.'.length);
  const value = simulator.rules[rule];
  const range = randomization[path];
  return {
    ...entry,
    ...(value !== undefined && { simulator: { ...simulator, rules: { ...simulator.rules, [rule]: scale(value) } } }),
    ...(range !== undefined && { randomization: { ...randomization, [path]: [scale(range[0]), scale(range[1])] } }),
  };
}

interface Seated {
  readonly name: string;
  readonly seat: number;
  readonly partner: PartnerData;
}

interface Choices {
  readonly seated: readonly Seated[];
  /** Whether the policy fits the seat, and its numbers cannot be gone through. */
  readonly isUnlisted: boolean;
}

/** The partners by a policy's name that a seat may have; none where its role does not know the policy. */
function choicesOf(world: World, seat: number, policy: string): Choices {
  const parse = (numbers: Readonly<Record<string, number>>) =>
    world.simulatorSchema.safeParse({ partners: { [seat]: { kind: 'scripted', name: policy, ...numbers } } });
  const seatedWith = (name: string, numbers: Readonly<Record<string, number>>): Seated[] => {
    const { success, data } = parse(numbers);
    return success ? [{ name, seat, partner: data.partners[String(seat)]! }] : [];
  };
  const plain = parse({});
  if (plain.success) return { seated: seatedWith(policy, {}), isUnlisted: false };
  // An issue about the partner's name, or about no key of it, says that the policy does not belong on this seat.
  const missing = plain.error.issues.map(({ path }) => String(path[2] ?? 'name'));
  if (missing.includes('name')) return { seated: [], isUnlisted: false };
  const number = world.parameters.find(({ path }) => path === `partners.${seat}.${missing[0]!}`);
  if (missing.length > 1 || number?.kind !== 'integer') return { seated: [], isUnlisted: true };
  const values = Array.from({ length: number.high - number.low + 1 }, (_, index) => number.low + index);
  const key = missing[0]!;
  return {
    seated: values.flatMap((value) => seatedWith(`${policy} ${key}=${value}`, { [key]: value })),
    isUnlisted: false,
  };
}

/** By name, the partner of each seat. */
function seatingsByName(seated: readonly Seated[]): Map<string, SimulatorData['partners']> {
  const seatings = new Map<string, SimulatorData['partners']>();
  for (const { name, seat, partner } of seated) {
    seatings.set(name, { ...seatings.get(name), [String(seat)]: partner });
  }
  return seatings;
}

/** Ranges of whoever is replaced say nothing of who replaces him. */
function withPartners(entry: WeightedSimulator, partners: SimulatorData['partners']): WeightedSimulator {
  const { simulator, randomization } = entry;
  const isOfReplaced = (path: string): boolean =>
    Object.keys(partners).some((seat) => path.startsWith(`partners.${seat}.`));
  return {
    ...entry,
    simulator: { ...simulator, partners: { ...simulator.partners, ...partners } },
    randomization: Object.fromEntries(Object.entries(randomization).filter(([path]) => !isOfReplaced(path))),
  };
}

/** Equal entries become one with the sum of their weights, where the first of them stands. */
function merged(entries: readonly WeightedSimulator[]): WeightedSimulator[] {
  const byContent = new Map<string, WeightedSimulator>();
  for (const entry of entries) {
    const content = contentOf([entry]);
    const known = byContent.get(content);
    byContent.set(content, known === undefined ? entry : { ...known, weight: known.weight + entry.weight });
  }
  return [...byContent.values()];
}

/** Equal for entries that play alike, whatever the order of keys. */
function contentOf(entries: readonly WeightedSimulator[]): string {
  const content = entries.map(({ simulator, randomization }) => ({ simulator, randomization }));
  return JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
