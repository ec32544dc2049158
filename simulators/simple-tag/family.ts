import { z } from 'zod';
import type { Family, SeatGroup, SimulatorData, World } from '../contract.ts';
import { MpeBatch, type MpeWorld } from '../mpe/batch.ts';
import { observationParts, type Sight, sizeOf } from '../mpe/observation.ts';
import { ACTION_COUNT, compile } from '../mpe/parameters.ts';
import type { Body } from '../mpe/physics.ts';
import { createSimulatorSchema, createStartSchema } from '../mpe/simulator-data.ts';
import { createCatalogue } from './catalogue.ts';
import { FEATURES, observeFeatures } from './features.ts';
import { optionsSchema } from './options.ts';
import {
  createParameters,
  REWARDS,
  type Role,
  roleAt,
  RULES,
  SCRIPTED_POLICIES,
  type Seating,
  START_WIDTHS,
} from './parameters.ts';
import { TagPartners } from './partners.ts';
import { TagJudge } from './rewards.ts';
import { adversaryPartnerSchema, preyPartnerSchema } from './scripted-partner.ts';

/**
 * # simple_tag
 *
 * A = 1 … 6 adversaries try to touch G = 1 … 4 faster prey among L = 0 … 6 obstacles. The rules are those of MPE2 1.1.1.
 * Adversaries hold the seats 0 … A − 1 and form the group 0, prey hold the seats A … A + G − 1 and form the group 1.
 *
 * **State.** Position and velocity of every agent, position of every obstacle (`landmarks`), in a plane without walls;
 * whether a prey has been touched in the episode (`caught`). Lengths are in units of half the side of the square in which
 * agents start, times in seconds (a step lasts 0.1 s). Obstacles and agents push one another away where they overlap.
 *
 * **Actions.** 0 nothing, 1 left (−x), 2 right (+x), 3 down (−y), 4 up (+y).
 *
 * **Observation** of a seat, unclipped, with N = A + G agents. Items of other agents come in the order of their seats.
 *
 * | index | what | unit |
 * |--|--|--|
 * | 0 … 1 | own velocity x, y | length/s |
 * | 2 … 3 | own position x, y | length |
 * | 4 … 2L + 3 | each obstacle's position minus the own | length |
 * | 2L + 4 … 2L + 2N + 1 | each other agent's position minus the own | length |
 * | last 2G of an adversary, last 2G − 2 of a prey | each other prey's velocity | length/s |
 *
 * **Rewards.** An adversary and a prey touch when they are nearer than the sum of their sizes. Every adversary gets
 * catch (10) · all touches; a prey pays catch for each adversary that touches it, and boundary (1) · the cost of its
 * coordinates beyond 0.9: a ramp to 1 at 1, then exp(2|x| − 2), at most 10. `shaping` (0) adds MPE2's optional reward of
 * nearness. The return of an episode is the mean over the learners present.
 *
 * **Ends.** Never by itself; every episode is truncated after `episode_steps` (25). Success: at least one touch in the
 * episode so far. It is the adversaries' success, stays once reached, and at the last step speaks for the episode.
 *
 * **Start.** Agents uniform in [−1, 1]², obstacles in [−0.9, 0.9]², at rest; see `scenarios` in `mpe/simulator-data.ts`.
 *
 * **Parameters** with defaults, ranges and units: `parameters.ts` and `mpe/parameters.ts`. **Partners**, each for the
 * seats of its role: `adversary-policies.ts`, `prey-policies.ts` and `mpe/partner-habits.ts`. **Perturbations**: noise on
 * the observations, observations that are dropped (zeros), delay and repetition of the actions that come from outside.
 *
 * **Source.** MPE2 1.1.1, `mpe2/simple_tag` and `mpe2/_mpe_utils`, with which `test/golden` agrees step by step.
 * Lowe et al.: Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments (NIPS 2017).
 */
export const simpleTag: Family = {
  name: 'simple_tag',
  version: 'mpe2-1.1.1/1',
  summary: 'Adversaries try to touch faster prey among obstacles (MPE2).',
  optionsSchema,
  open,
};

const SCRIPTED_REFERENCES = { adversary: 'chase', prey: 'flee_nearest' } as const satisfies Record<Role, string>;

function open(given: Readonly<Record<string, unknown>>): World {
  const options = optionsSchema.parse(given);
  const adversaryCount = options.num_adversaries;
  const seating: Seating = {
    seatCount: adversaryCount + options.num_good,
    adversaryCount,
    obstacleCount: options.num_obstacles,
  };
  const { seatCount, obstacleCount } = seating;
  const parameters = createParameters(seating);
  const sights = { adversary: sightOf(seating, 'adversary'), prey: sightOf(seating, 'prey') };
  const world: MpeWorld = {
    family: simpleTag.name,
    seatCount,
    landmarkCount: obstacleCount,
    episodeStepsMax: options.episode_steps,
    parameters,
    bodies: {
      seats: Array.from({ length: seatCount }, (_, seat) => bodyOf(roleAt(seating, seat))),
      landmarkSize: 'rules.obstacle_size',
    },
    sights: [sights.adversary, sights.prey],
    createPartners: (state, columns) => new TagPartners(state, columns, seating),
    createJudge: (state, columns) => new TagJudge(state, columns, seating),
    observeFeatures: (state, out) => observeFeatures(state, seating, out),
  };
  return {
    family: simpleTag.name,
    version: simpleTag.version,
    options,
    seatCount,
    groups: [groupOf('adversary', sights.adversary, seating), groupOf('prey', sights.prey, seating)],
    cooperative: false,
    episodeStepsMax: options.episode_steps,
    hasSuccess: true,
    features: FEATURES,
    parameters,
    scriptedPolicies: [...new Set([...SCRIPTED_POLICIES.adversary, ...SCRIPTED_POLICIES.prey])],
    scriptedReference: SCRIPTED_REFERENCES.adversary,
    simulatorSchema: simulatorSchemaOf(seating),
    startSchema: createStartSchema(seatCount, obstacleCount).extend({
      caught: z.boolean().default(false).describe('Whether a prey has been touched in the episode.'),
    }),
    catalogue: createCatalogue(seating),
    compile: (simulator: SimulatorData) => compile(parameters, simulator),
    createBatch: (environmentCount) => new MpeBatch(environmentCount, world),
  };
}

function bodyOf(role: Role): Body {
  return {
    size: `rules.${role}_size`,
    mass: `rules.${role}_mass`,
    acceleration: `rules.${role}_acceleration`,
    maxSpeed: `rules.${role}_max_speed`,
  };
}

/** All see the velocities of the prey, none those of adversaries. */
function sightOf({ seatCount, adversaryCount }: Seating, role: Role): Sight {
  const [first, end] = role === 'adversary' ? [0, adversaryCount] : [adversaryCount, seatCount];
  return {
    seats: Array.from({ length: end - first }, (_, index) => first + index),
    velocities: { first: adversaryCount, end: seatCount },
    silentSize: 0,
  };
}

function groupOf(role: Role, sight: Sight, { seatCount, obstacleCount }: Seating): SeatGroup {
  const observation = observationParts(sight, seatCount, obstacleCount);
  return {
    role,
    seats: sight.seats,
    observationSize: sizeOf(observation),
    observation,
    actions: { kind: 'discrete', count: ACTION_COUNT },
    scriptedReference: SCRIPTED_REFERENCES[role],
  };
}

function simulatorSchemaOf(seating: Seating): World['simulatorSchema'] {
  const schemas = { adversary: adversaryPartnerSchema(), prey: preyPartnerSchema() };
  return createSimulatorSchema({
    seatCount: seating.seatCount,
    landmarkCount: seating.obstacleCount,
    scriptedPartner: (seat) => schemas[roleAt(seating, seat)],
    rules: RULES,
    rewards: REWARDS,
    startWidths: START_WIDTHS,
  }) as World['simulatorSchema'];
}
