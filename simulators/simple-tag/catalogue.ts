import type { CatalogueEntry } from '../contract.ts';
import type { AdversaryPolicy, PreyPolicy, Seating } from './parameters.ts';

type Data = Readonly<Record<string, unknown>>;

function entry(summary: string, simulator: Data): CatalogueEntry {
  return { summary, simulator };
}

/** Every seat driven from outside; one thing about the world differs. */
const WORLDS: Readonly<Record<string, CatalogueEntry>> = {
  base: entry('MPE2 as it is.', {}),
  slippery: entry('Agents keep more of their speed.', { rules: { damping: 0.1 } }),
  sticky: entry('Agents lose half of their speed in every step.', { rules: { damping: 0.5 } }),
  slow_prey: entry('Prey have three quarters of their speed.', {
    rules: { prey_max_speed: 0.975, prey_acceleration: 3 },
  }),
  heavy_adversaries: entry('Adversaries have twice the mass.', { rules: { adversary_mass: 2 } }),
  bulky: entry('Adversaries are larger and touch sooner.', { rules: { adversary_size: 0.12 } }),
  large_obstacles: entry('Obstacles are half as large again.', { rules: { obstacle_size: 0.3 } }),
  crowded: entry('Agents start close together.', { scenarios: { agent_half_width: 0.4 } }),
  no_boundary: entry('Leaving the square costs nothing.', { rewards: { boundary: 0 } }),
  shaped: entry('Nearness is rewarded too.', { rewards: { shaping: 0.1 } }),
  noisy: entry('Agents see everything with noise.', { perturbations: { observation_noise: 0.1 } }),
  delayed: entry('Actions take effect two steps late.', { perturbations: { action_delay: 2 } }),
};

/** The adversaries learn: every prey is scripted. */
function preys(partner: (name: PreyPolicy, numbers?: Data) => Data): Readonly<Record<string, CatalogueEntry>> {
  return {
    prey_idle: entry('Prey stay where they are.', partner('noop')),
    prey_random: entry('Prey act at random.', partner('random')),
    prey_flees_nearest: entry('Prey flee the nearest adversary.', partner('flee_nearest')),
    prey_flees_centroid: entry("Prey flee the adversaries' centre.", partner('flee_centroid')),
    prey_orbits_left: entry('Prey go round counter-clockwise.', partner('orbit_left')),
    prey_orbits_right: entry('Prey go round clockwise.', partner('orbit_right')),
    prey_zigzags: entry('Prey go to and fro.', partner('zigzag')),
    prey_lower_left: entry('Prey run to the lower left corner.', partner('corner', { corner: 0 })),
    prey_lower_right: entry('Prey run to the lower right corner.', partner('corner', { corner: 1 })),
    prey_upper_left: entry('Prey run to the upper left corner.', partner('corner', { corner: 2 })),
    prey_upper_right: entry('Prey run to the upper right corner.', partner('corner', { corner: 3 })),
    prey_slow: entry(
      'Prey flee the nearest adversary at three quarters of their speed.',
      partner('flee_nearest', { speed: 0.75 }),
    ),
    prey_late: entry(
      'Prey flee the nearest adversary after eight idle steps.',
      partner('flee_nearest', { lateness: 8 }),
    ),
    prey_erratic: entry(
      'Prey flee the nearest adversary, a third of their actions being random.',
      partner('flee_nearest', { epsilon: 0.33 }),
    ),
  };
}

/** The prey learns: every adversary is scripted. */
function chasers(partner: (name: AdversaryPolicy, numbers?: Data) => Data): Readonly<Record<string, CatalogueEntry>> {
  return {
    adversaries_idle: entry('Adversaries stay where they are.', partner('noop')),
    adversaries_random: entry('Adversaries act at random.', partner('random')),
    adversaries_chase: entry('Adversaries chase the nearest prey.', partner('chase')),
    adversaries_rush: entry('Adversaries push straight at the nearest prey, and overshoot.', partner('rush')),
    adversaries_intercept: entry('Adversaries go where the nearest prey will be.', partner('intercept')),
    adversaries_surround: entry('Adversaries come from all sides.', partner('surround')),
    adversaries_guard: entry('Adversaries chase prey only near the centre.', partner('guard')),
    adversaries_slow: entry('Adversaries chase at three quarters of their speed.', partner('chase', { speed: 0.75 })),
    adversaries_erratic: entry(
      'Adversaries chase, a third of their actions being random.',
      partner('chase', { epsilon: 0.33 }),
    ),
  };
}

/** The built-in simulators; a scripted role is scripted on all its seats. */
export function createCatalogue({ seatCount, adversaryCount }: Seating): Readonly<Record<string, CatalogueEntry>> {
  const partnersOn =
    (first: number, end: number) =>
    (name: string, numbers: Data = {}) => ({
      partners: Object.fromEntries(
        Array.from({ length: end - first }, (_, index) => [first + index, { kind: 'scripted', name, ...numbers }]),
      ),
    });
  return {
    ...WORLDS,
    ...preys(partnersOn(adversaryCount, seatCount)),
    ...chasers(partnersOn(0, adversaryCount)),
  };
}
