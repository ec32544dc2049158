import type { CatalogueEntry } from '../contract.ts';
import type { ScriptedPolicy } from './parameters.ts';

type Data = Readonly<Record<string, unknown>>;

function partner(seat: number, name: ScriptedPolicy, numbers: Data = {}): Data {
  return { [seat]: { kind: 'scripted', name, ...numbers } };
}

function entry(summary: string, simulator: Data): CatalogueEntry {
  return { summary, simulator };
}

/** Every seat driven from outside; one thing about the world differs. */
const WORLDS: Readonly<Record<string, CatalogueEntry>> = {
  base: entry('MPE2 as it is.', {}),
  slippery: entry('Agents keep more of their speed.', { rules: { damping: 0.1 } }),
  sticky: entry('Agents lose half of their speed in every step.', { rules: { damping: 0.5 } }),
  heavy: entry('Agents have twice the mass.', { rules: { mass: 2 } }),
  swift: entry('Actions push half as much again.', { rules: { acceleration: 7.5 } }),
  bulky: entry('Agents are larger and touch sooner.', { rules: { agent_size: 0.25 } }),
  crowded: entry('Agents start close together.', { scenarios: { agent_half_width: 0.3 } }),
  spacious: entry('Landmarks lie farther apart.', { scenarios: { landmark_half_width: 1.5 } }),
  noisy: entry('Agents see everything with noise.', { perturbations: { observation_noise: 0.1 } }),
  delayed: entry('Actions take effect two steps late.', { perturbations: { action_delay: 2 } }),
};

/** Two agents and more: the agent on seat 1 is a scripted partner. */
const PARTNERS: Readonly<Record<string, CatalogueEntry>> = {
  partner_idle: entry('Seat 1 stays where it is.', { partners: partner(1, 'noop') }),
  partner_random: entry('Seat 1 acts at random.', { partners: partner(1, 'random') }),
  partner_fixed: entry('Seat 1 goes to landmark 0.', { partners: partner(1, 'fixed_landmark', { landmark: 0 }) }),
  partner_nearest: entry('Seat 1 goes to its nearest landmark.', { partners: partner(1, 'nearest_landmark') }),
  partner_farthest: entry('Seat 1 goes to its farthest landmark.', { partners: partner(1, 'farthest_landmark') }),
  partner_left: entry('Seat 1 goes to the left-most landmark.', { partners: partner(1, 'leftmost_landmark') }),
  partner_right: entry('Seat 1 goes to the right-most landmark.', { partners: partner(1, 'rightmost_landmark') }),
  partner_top: entry('Seat 1 goes to the top-most landmark.', { partners: partner(1, 'topmost_landmark') }),
  partner_bottom: entry('Seat 1 goes to the bottom-most landmark.', { partners: partner(1, 'bottommost_landmark') }),
  partner_any: entry('Seat 1 goes to a landmark drawn anew for each episode.', {
    partners: partner(1, 'random_landmark'),
  }),
  partner_late: entry('Seat 1 goes to its nearest landmark after eight idle steps.', {
    partners: partner(1, 'nearest_landmark', { lateness: 8 }),
  }),
  partner_slow: entry('Seat 1 goes to its nearest landmark with half the force.', {
    partners: partner(1, 'nearest_landmark', { speed: 0.5 }),
  }),
  partner_erratic: entry('Seat 1 goes to its nearest landmark, a third of its actions being random.', {
    partners: partner(1, 'nearest_landmark', { epsilon: 0.33 }),
  }),
  partner_yielding: entry('Seat 1 goes where it is near and the others are not.', {
    partners: partner(1, 'weighted', { weights: { distance_self: -1, distance_learner: 1 } }),
  }),
  partner_rival: entry('Seat 1 goes where another agent is near.', {
    partners: partner(1, 'weighted', { weights: { distance_learner: -1 } }),
  }),
};

/** Three agents and more: seat 2 is a scripted partner, and the physics differ. The two older spec forms name these. */
const VARIANTS: Readonly<Record<string, CatalogueEntry>> = {
  sim_a: entry('Seat 2 goes to its nearest landmark.', { partners: partner(2, 'nearest_landmark') }),
  sim_b: entry('Seat 2 goes to landmark 1; more slippery.', {
    partners: partner(2, 'fixed_landmark', { landmark: 1 }),
    rules: { damping: 0.2 },
  }),
  sim_c: entry('Seat 2 goes to the left-most landmark; weaker pushes.', {
    partners: partner(2, 'leftmost_landmark'),
    rules: { acceleration: 4 },
  }),
  sim_variant_1: entry('Seat 2 goes to landmark 0.', { partners: partner(2, 'fixed_landmark', { landmark: 0 }) }),
  sim_variant_2: entry('Seat 2 goes to the left-most landmark; more slippery.', {
    partners: partner(2, 'leftmost_landmark'),
    rules: { damping: 0.2 },
  }),
  sim_variant_3: entry('Seat 2 goes to its nearest landmark; weaker pushes.', {
    partners: partner(2, 'nearest_landmark'),
    rules: { acceleration: 4 },
  }),
  sim_variant_4: entry('Seat 2 goes to the top-most landmark; heavier agents.', {
    partners: partner(2, 'topmost_landmark'),
    rules: { mass: 1.25 },
  }),
  sim_variant_5: entry('Seat 2 goes to the right-most landmark with some random actions; less slippery.', {
    partners: partner(2, 'rightmost_landmark', { epsilon: 0.1 }),
    rules: { damping: 0.3 },
  }),
  sim_variant_6: entry('Seat 2 goes to landmark 2 after five idle steps; larger agents.', {
    partners: partner(2, 'fixed_landmark', { landmark: 2, lateness: 5 }),
    rules: { agent_size: 0.18 },
  }),
  sim_variant_7: entry('Seat 2 goes to the bottom-most landmark; stronger pushes.', {
    partners: partner(2, 'bottommost_landmark'),
    rules: { acceleration: 6 },
  }),
  sim_variant_8: entry('Seat 2 goes to its farthest landmark with many random actions; less slippery.', {
    partners: partner(2, 'farthest_landmark', { epsilon: 0.3 }),
    rules: { damping: 0.35 },
  }),
};

function highestSeat({ simulator }: CatalogueEntry): number {
  return Math.max(-1, ...Object.keys(simulator['partners'] ?? {}).map(Number));
}

/** The built-in simulators whose seats all exist among N; the landmarks they name exist with the seats. */
export function createCatalogue(seatCount: number): Readonly<Record<string, CatalogueEntry>> {
  const all = Object.entries({ ...WORLDS, ...PARTNERS, ...VARIANTS });
  return Object.fromEntries(all.filter(([, each]) => highestSeat(each) < seatCount));
}
