import { z } from 'zod';
import type { Family, FamilyCard, SeatGroup, SimulatorData, World } from '../contract.ts';
import { MpeBatch, type MpeWorld, REWARD_LAG } from '../mpe/batch.ts';
import { planeView } from '../mpe/drawing.ts';
import { moveSpace } from '../mpe/moves.ts';
import { compile } from '../mpe/parameters.ts';
import type { Body } from '../mpe/physics.ts';
import { observationParts, PlaneSense, type Sight, sizeOf } from '../mpe/sight.ts';
import { createSimulatorSchema, createStartSchema } from '../mpe/simulator-data.ts';
import { createCatalogue } from './catalogue.ts';
import { draw } from './drawing.ts';
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

const card: FamilyCard = {
  state:
    'Position and velocity of every agent, position of every obstacle (`landmarks`), in a plane without walls; whether a ' +
    'prey has been touched in the episode (`caught`). Lengths are in units of half the side of the square in which ' +
    'agents start, times in seconds (a step lasts 0.1 s). Obstacles and agents push one another away where they overlap.',
  actions: ['nothing', 'left (−x)', 'right (+x)', 'down (−y)', 'up (+y)'],
  rewards:
    'An adversary and a prey touch when they are nearer than the sum of their sizes. Every adversary gets catch · all ' +
    'touches; a prey pays catch for each adversary that touches it, and boundary · the cost of its coordinates beyond ' +
    '0.9: a ramp to 1 at 1, then exp(2·abs(x) − 2), at most 10. `shaping` adds the optional reward of nearness of MPE2.',
  ends:
    'Never by itself; every episode is truncated after `episode_steps`. Success: at least one touch in the episode so ' +
    'far. It is the success of the adversaries, stays once reached, and at the last step speaks for the episode.',
  start: 'Agents uniform in [−1, 1]², obstacles in [−0.9, 0.9]², at rest, or about `scenarios.start`.',
  policies: {
    noop: 'stays where it is',
    random: 'takes a random action, in proportion to `action_bias`',
    chase: 'pushes towards where the nearest prey will soon be, mindful of its own velocity',
    rush: 'pushes straight at the nearest prey',
    intercept: 'chases a point farther ahead of the nearest prey',
    surround: 'chases its own place on a ring about the nearest prey, and within the ring the prey',
    guard: 'chases a prey that is near the origin, otherwise waits there',
    flee_nearest: 'moves away from the nearest adversary, but never out of the square',
    flee_centroid: 'moves away from the centre of the adversaries, likewise',
    orbit_left: 'goes round the origin counter-clockwise',
    orbit_right: 'goes round the origin clockwise',
    zigzag: 'goes to and fro between the sides, on its way between the lower and the upper end',
    corner: 'goes to the corner `corner`: 0 lower left, 1 lower right, 2 upper left, 3 upper right',
    weighted: 'moves along the sum of directions that `weights` weigh, but never out of the square',
  },
  returns:
    'Of an adversary and of the prey, 400 episodes: all random 3.1 and −14.5; three of `chase` against a prey that stays ' +
    '63.8 and −78.5, a random one 66.5 and −82.5, one of `flee_nearest` 49.7 and −53.1.',
  picture:
    'Circles are agents with their seat, a colour for each role; grey discs are obstacles; beyond the square a prey pays.',
  source:
    'MPE2 1.1.1, `mpe2/simple_tag` and `mpe2/_mpe_utils`, with which `test/golden` agrees step by step. Lowe et al.: ' +
    'Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments (NIPS 2017).',
};

/**
 * A = 1 … 6 adversaries try to touch G = 1 … 4 faster prey among L = 0 … 6 obstacles, by the rules of MPE2 1.1.1.
 * Adversaries hold the seats 0 … A − 1 and form the group 0, prey hold the seats A … A + G − 1 and form the group 1. The
 * card above says the rest but for the layout of the observations, with N = A + G:
 *
 * | index | what | unit |
 * |--|--|--|
 * | 0 … 1 | own velocity x, y | length/s |
 * | 2 … 3 | own position x, y | length |
 * | 4 … 2L + 3 | each obstacle's position minus the own | length |
 * | 2L + 4 … 2L + 2N + 1 | each other agent's position minus the own | length |
 * | last 2G of an adversary, last 2G − 2 of a prey | each other prey's velocity | length/s |
 *
 * They are unclipped; items of other agents come in the order of their seats.
 */
export const simpleTag: Family = {
  name: 'simple_tag',
  version: 'mpe2-1.1.1/1',
  summary: 'Adversaries try to touch faster prey among obstacles (MPE2).',
  card,
  optionsSchema,
  open,
};

const SCRIPTED_REFERENCES = { adversary: 'chase', prey: 'flee_nearest' } as const satisfies Record<Role, string>;

/** A little more than the square that everything starts in. */
const VIEW_HALF_WIDTH = 1.3;

function open(given: Readonly<Record<string, unknown>>): World {
  const options = optionsSchema.parse(given);
  const { num_adversaries: adversaryCount, continuous_actions: isContinuous } = options;
  const seating: Seating = {
    seatCount: adversaryCount + options.num_good,
    adversaryCount,
    obstacleCount: options.num_obstacles,
  };
  const { seatCount, obstacleCount } = seating;
  const roles = Array.from({ length: seatCount }, (_, seat) => roleAt(seating, seat));
  const parameters = createParameters(seating);
  const actions = moveSpace(isContinuous);
  const sights = { adversary: sightOf(seating, 'adversary'), prey: sightOf(seating, 'prey') };
  const world: MpeWorld = {
    family: simpleTag.name,
    seatCount,
    landmarkCount: obstacleCount,
    episodeStepsMax: options.episode_steps,
    isContinuous,
    parameters,
    bodies: {
      seats: roles.map(bodyOf),
      contacts: { seats: roles.map((role) => `rules.${role}_size`), landmarks: 'rules.obstacle_size' },
    },
    createParts: (state, columns) => ({
      partners: new TagPartners(state, columns, seating),
      judge: new TagJudge(state, columns, seating),
      senses: [new PlaneSense(state, sights.adversary), new PlaneSense(state, sights.prey)],
      observeFeatures: (out) => observeFeatures(state, seating, out),
    }),
  };
  return {
    family: simpleTag.name,
    version: simpleTag.version,
    options,
    seatCount,
    groups: [
      groupOf('adversary', sights.adversary, { ...seating, actions }),
      groupOf('prey', sights.prey, { ...seating, actions }),
    ],
    cooperative: false,
    episodeStepsMax: options.episode_steps,
    hasSuccess: true,
    rewardLag: REWARD_LAG,
    features: FEATURES,
    positionFeatures: ['x', 'y'],
    parameters,
    scriptedPolicies: [...new Set([...SCRIPTED_POLICIES.adversary, ...SCRIPTED_POLICIES.prey])],
    scriptedReference: SCRIPTED_REFERENCES.adversary,
    simulatorSchema: simulatorSchemaOf(seating),
    startSchema: createStartSchema({ seatCount, landmarkCount: obstacleCount, isContinuous }).extend({
      caught: z.boolean().default(false).describe('Whether a prey has been touched in the episode.'),
    }),
    catalogue: createCatalogue(seating),
    compile: (simulator: SimulatorData) => compile(parameters, simulator),
    createBatch: (environmentCount) => new MpeBatch(environmentCount, world),
    view: planeView(VIEW_HALF_WIDTH),
    draw: (state, rules) => draw(seating, state, rules),
  };
}

function bodyOf(role: Role): Body {
  return {
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

function groupOf(
  role: Role,
  sight: Sight,
  { seatCount, obstacleCount, actions }: Seating & Pick<SeatGroup, 'actions'>,
): SeatGroup {
  const observation = observationParts(sight, seatCount, obstacleCount);
  return {
    role,
    seats: sight.seats,
    observationSize: sizeOf(observation),
    observation,
    actions,
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
