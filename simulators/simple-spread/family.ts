import type { Family, FamilyCard, SimulatorData, World } from '../contract.ts';
import { MpeBatch, type MpeWorld, REWARD_LAG } from '../mpe/batch.ts';
import { planeView } from '../mpe/drawing.ts';
import { moveSpace } from '../mpe/moves.ts';
import { compile } from '../mpe/parameters.ts';
import { observationParts, PlaneSense, type Sight, sizeOf } from '../mpe/sight.ts';
import { createSimulatorSchema, createStartSchema } from '../mpe/simulator-data.ts';
import { createCatalogue } from './catalogue.ts';
import { draw } from './drawing.ts';
import { FEATURES, observeFeatures } from './features.ts';
import { type Options, optionsSchema } from './options.ts';
import { createParameters, REWARDS, RULES, SCRIPTED_POLICIES, START_WIDTHS } from './parameters.ts';
import { SpreadPartners } from './partners.ts';
import { SpreadJudge } from './rewards.ts';
import { scriptedPartnerSchema } from './scripted-partner.ts';

const card: FamilyCard = {
  state:
    'Position and velocity of every agent, position of every landmark, in a plane without walls. Lengths are in units ' +
    'of half the side of the square in which an episode starts, times in seconds (a step lasts 0.1 s).',
  actions: ['nothing', 'left (−x)', 'right (+x)', 'down (−y)', 'up (+y)'],
  rewards:
    'Every seat gets −coverage · Σ over landmarks of the distance to the nearest agent · (1 − local_ratio) − collision ' +
    '· (agents it touches) · local_ratio. The return of an episode is the sum over all seats.',
  ends:
    'Never by itself; every episode is truncated after `episode_steps`. Success: every landmark is within 0.1 of an ' +
    'agent.',
  start: 'Agents and landmarks uniform in [−1, 1]², at rest, or about `scenarios.start`.',
  policies: {
    noop: 'stays where it is',
    random: 'takes a random action, in proportion to `action_bias`',
    nearest_landmark: 'goes to the landmark nearest to it now',
    farthest_landmark: 'goes to the landmark farthest from it now',
    fixed_landmark: 'goes to the landmark with the index `landmark`',
    leftmost_landmark: 'goes to the landmark with the least x',
    rightmost_landmark: 'goes to the landmark with the largest x',
    topmost_landmark: 'goes to the landmark with the largest y',
    bottommost_landmark: 'goes to the landmark with the least y',
    random_landmark: 'goes to one landmark that is drawn for each episode',
    weighted: 'goes to the landmark with the largest sum of `weights` times x, y, distances and index',
  },
  returns: 'Of 640 episodes with default options: random players −80.1, three of `nearest_landmark` −48.2.',
  picture: 'Circles are agents with their seat; rings are landmarks, covered when the middle of an agent lies within.',
  source:
    'MPE2 1.1.1, `mpe2/simple_spread` and `mpe2/_mpe_utils`, with which `test/golden` agrees step by step. Lowe et ' +
    'al.: Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments (NIPS 2017).',
};

/**
 * N = 2 … 8 agents must cover N landmarks without touching one another, by the rules of MPE2 1.1.1. The card above says
 * the rest but for the layout of the observations, in terms of N:
 *
 * | index | what | unit |
 * |--|--|--|
 * | 0 … 1 | own velocity x, y | length/s |
 * | 2 … 3 | own position x, y | length |
 * | 4 … 2N + 3 | each landmark's position minus the own | length |
 * | 2N + 4 … 4N + 1 | each other agent's position minus the own | length |
 * | next 2N − 2, with `observe_velocities` | each other agent's velocity | length/s |
 * | last 2N − 2, with `communication_channel` | what each other agent says: always 0 | 1 |
 *
 * They are unclipped; items of other agents come in the order of their seats.
 */
export const simpleSpread: Family = {
  name: 'simple_spread',
  version: 'mpe2-1.1.1/1',
  summary: 'N agents cover N landmarks without touching one another (MPE2).',
  card,
  optionsSchema,
  open,
};

/** Landmarks lie within 1.5 of the origin at the start, in every built-in simulator. */
const VIEW_HALF_WIDTH = 1.7;

function open(given: Readonly<Record<string, unknown>>): World {
  const options = optionsSchema.parse(given);
  const { agents: seatCount, continuous_actions: isContinuous } = options;
  const parameters = createParameters(seatCount);
  const sight = sightOf(options);
  const observation = observationParts(sight, seatCount, seatCount);
  const world: MpeWorld = {
    family: simpleSpread.name,
    seatCount,
    landmarkCount: seatCount,
    episodeStepsMax: options.episode_steps,
    isContinuous,
    parameters,
    bodies: {
      seats: sight.seats.map(() => ({ mass: 'rules.mass', acceleration: 'rules.acceleration' })),
      contacts: { seats: sight.seats.map(() => 'rules.agent_size') },
    },
    createParts: (state, columns) => ({
      partners: new SpreadPartners(state, columns),
      judge: new SpreadJudge(state, columns),
      senses: [new PlaneSense(state, sight)],
      observeFeatures: (out) => observeFeatures(state, out),
    }),
  };
  const scriptedPartner = scriptedPartnerSchema(seatCount);
  return {
    family: simpleSpread.name,
    version: simpleSpread.version,
    options,
    seatCount,
    groups: [
      {
        role: 'agent',
        seats: sight.seats,
        observationSize: sizeOf(observation),
        observation,
        actions: moveSpace(isContinuous),
      },
    ],
    cooperative: true,
    episodeStepsMax: options.episode_steps,
    hasSuccess: true,
    rewardLag: REWARD_LAG,
    features: FEATURES,
    positionFeatures: ['x', 'y'],
    parameters,
    scriptedPolicies: SCRIPTED_POLICIES,
    scriptedReference: 'nearest_landmark',
    simulatorSchema: createSimulatorSchema({
      seatCount,
      landmarkCount: seatCount,
      scriptedPartner: () => scriptedPartner,
      rules: RULES,
      rewards: REWARDS,
      startWidths: START_WIDTHS,
    }) as World['simulatorSchema'],
    startSchema: createStartSchema({ seatCount, landmarkCount: seatCount, isContinuous }),
    catalogue: createCatalogue(seatCount),
    compile: (simulator: SimulatorData) => compile(parameters, simulator),
    createBatch: (environmentCount) => new MpeBatch(environmentCount, world),
    view: planeView(VIEW_HALF_WIDTH),
    draw,
  };
}

/** Numbers that each agent may say in MPE2; agents of simple_spread are silent. */
const CHANNEL_SIZE = 2;

function sightOf(options: Options): Sight {
  const { agents } = options;
  return {
    seats: Array.from({ length: agents }, (_, seat) => seat),
    velocities: { first: 0, end: options.observe_velocities ? agents : 0 },
    silentSize: options.communication_channel ? CHANNEL_SIZE * (agents - 1) : 0,
  };
}
