import type { RandomizationRanges } from '../../learning/strategies/contract.ts';
import type { World } from '../../simulators/contract.ts';

/** What an experiment in a family begins with. */
export interface FamilyStart {
  /** What it asks, in a sentence. */
  readonly question: string;
  readonly familyOptions: Readonly<Record<string, unknown>>;
  /** Seats that learn; all when left out. */
  readonly learners?: readonly number[];
  /** What the simulators below are, for the comment above them. */
  readonly simulatorsComment: string;
  readonly simulators: Readonly<Record<string, unknown>>;
  readonly panels: Readonly<Record<'train' | 'validation' | 'test', readonly string[]>>;
  readonly randomization: RandomizationRanges;
  readonly policyMode: 'deterministic' | 'sampled';
}

/** Simulators that differ in the scripted partner on one seat. */
function partners(seat: number, byName: Readonly<Record<string, Readonly<Record<string, unknown>>>>) {
  const entries = Object.entries(byName).map(([name, partner]) => [
    name,
    { partners: { [seat]: { kind: 'scripted', ...partner } } },
  ]);
  return Object.fromEntries(entries) as Readonly<Record<string, unknown>>;
}

/** Starts that were chosen by hand, by family. Others begin with what their catalogue has. */
export const FAMILY_STARTS: Readonly<Record<string, FamilyStart>> = {
  simple_spread: {
    question: 'One agent learns to cover landmarks beside a scripted partner. Does it learn that, or the partner?',
    familyOptions: { agents: 2, observe_velocities: true, communication_channel: false },
    learners: [0],
    simulatorsComment: 'Each puts another scripted partner on seat 1.',
    simulators: partners(1, {
      zero: { name: 'fixed_landmark', landmark: 0 },
      left: { name: 'leftmost_landmark' },
      near: { name: 'nearest_landmark' },
      bottom: { name: 'bottommost_landmark' },
      top: { name: 'topmost_landmark' },
      right_slow: { name: 'rightmost_landmark', speed: 0.5 },
      far: { name: 'farthest_landmark', epsilon: 0.3 },
    }),
    panels: { train: ['zero', 'left', 'near'], validation: ['bottom'], test: ['top', 'right_slow', 'far'] },
    randomization: { 'rules.damping': [0.1, 0.5], 'rules.acceleration': [3, 7] },
    policyMode: 'deterministic',
  },
  simple_tag: {
    question: 'Three adversaries learn to catch a scripted prey. Do they learn to catch, or where that prey goes?',
    familyOptions: { num_adversaries: 3, num_good: 1, num_obstacles: 2 },
    learners: [0, 1, 2],
    simulatorsComment: 'Each puts another scripted prey on seat 3.',
    simulators: partners(3, {
      corner_0: { name: 'corner', corner: 0 },
      orbit_left: { name: 'orbit_left' },
      runs_right: { name: 'weighted', weights: { x: 1 } },
      corner_2: { name: 'corner', corner: 2 },
      flees: { name: 'flee_nearest' },
      orbit_right: { name: 'orbit_right' },
      zigzag: { name: 'zigzag' },
    }),
    panels: {
      train: ['corner_0', 'orbit_left', 'runs_right'],
      validation: ['corner_2'],
      test: ['flees', 'orbit_right', 'zigzag'],
    },
    randomization: { 'rules.damping': [0.1, 0.5], 'rules.prey_max_speed': [1, 1.6] },
    policyMode: 'deterministic',
  },
  simple_speaker_listener: {
    question: 'A listener learns beside one speaker. Does it learn to heed words, or to trust them blindly?',
    familyOptions: { episode_steps: 25 },
    learners: [1],
    simulatorsComment: 'Each puts another scripted speaker on seat 0, or another channel between the two.',
    simulators: {
      ...partners(0, {
        plain: { name: 'faithful' },
        late: { name: 'faithful', lateness: 8 },
        erratic: { name: 'faithful', epsilon: 0.3 },
        late_erratic: { name: 'faithful', lateness: 14, epsilon: 0.3 },
        very_late: { name: 'faithful', lateness: 16 },
        very_erratic: { name: 'faithful', epsilon: 0.8 },
      }),
      gappy: { partners: { 0: { kind: 'scripted', name: 'faithful' } }, perturbations: { channel_loss: 0.8 } },
    },
    panels: {
      train: ['plain', 'late', 'erratic'],
      validation: ['late_erratic'],
      test: ['very_late', 'very_erratic', 'gappy'],
    },
    randomization: { 'rules.damping': [0.1, 0.5], 'perturbations.channel_error': [0, 0.3] },
    policyMode: 'deterministic',
  },
  foraging: {
    question: 'Two players must load every item together. Does one learn to help, or where its one partner goes?',
    familyOptions: { field_size: 8, players: 2, food: 2, force_coop: true },
    learners: [0],
    simulatorsComment: 'Each puts another scripted partner on seat 1.',
    simulators: partners(1, {
      top: { name: 'topmost_food' },
      left: { name: 'leftmost_food' },
      near: { name: 'nearest_food' },
      right: { name: 'rightmost_food' },
      bottom: { name: 'bottommost_food' },
      bottom_late: { name: 'bottommost_food', lateness: 10 },
      right_slow: { name: 'rightmost_food', speed: 0.5 },
    }),
    panels: { train: ['top', 'left', 'near'], validation: ['right'], test: ['bottom', 'bottom_late', 'right_slow'] },
    randomization: { 'rules.move_success': [0.8, 1], 'rules.load_success': [0.7, 1] },
    policyMode: 'sampled',
  },
  kitchen: {
    question: 'One cook learns beside a scripted one. Does it learn to cook, or the habits of its partner?',
    familyOptions: { layout: 'cramped_room', episode_steps: 200 },
    learners: [0],
    simulatorsComment: 'Each puts another scripted partner on seat 1.',
    simulators: partners(1, {
      greedy: { name: 'greedy' },
      onions: { name: 'onion_only' },
      plates: { name: 'plate_only' },
      slow: { name: 'greedy', speed: 0.5 },
      erratic: { name: 'greedy', epsilon: 0.4 },
      idle: { name: 'stay' },
      random: { name: 'random' },
    }),
    panels: { train: ['greedy', 'onions', 'plates'], validation: ['slow'], test: ['erratic', 'idle', 'random'] },
    randomization: { 'rules.cook_time': [10, 40], 'partners.1.epsilon': [0, 0.4] },
    policyMode: 'sampled',
  },
};

const PANEL_SIZES = { train: 3, validation: 1, test: 3 } as const;

/**
 * A start in any family: its catalogue in the order in which it stands, all seats learning.
 * @param skipped names that must not stand in the test panel
 */
export function startFromCatalogue(world: World, skipped: readonly string[] = []): FamilyStart {
  const { train, validation, test } = PANEL_SIZES;
  const names = Object.keys(world.catalogue).filter((name) => !skipped.includes(name));
  return {
    question: 'Is what is learnt in some simulators still there in others?',
    familyOptions: {},
    simulatorsComment: 'Those of the panels come from the catalogue of the family; your own stand here, by name.',
    simulators: {},
    panels: {
      train: names.slice(0, train),
      validation: names.slice(train, train + validation),
      test: names.slice(train + validation, train + validation + test),
    },
    randomization: rangesAround(world),
    policyMode: 'deterministic',
  };
}

/** The first rules that are real numbers, from a fifth below to a fifth above what they are in the first simulator. */
function rangesAround(world: World): RandomizationRanges {
  const first = Object.values(world.catalogue)[0]!.simulator;
  const values = world.compile(world.simulatorSchema.parse(first));
  const ranges = world.parameters.flatMap(({ path, kind, low, high }, index): [string, [number, number]][] => {
    const value = values[index]!;
    if (kind !== 'real' || !path.startsWith('rules.') || value === 0) return [];
    const ends = [value * 0.8, value * 1.2].sort((a, b) => a - b);
    return [[path, [Math.max(low, ends[0]!), Math.min(high, ends[1]!)]]];
  });
  return Object.fromEntries(ranges.slice(0, 2));
}
