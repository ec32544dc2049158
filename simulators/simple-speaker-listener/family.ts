import type { Family, FamilyCard, SeatGroup, SimulatorData, World } from '../contract.ts';
import { MpeBatch, type MpeParts, type MpeWorld, REWARD_LAG } from '../mpe/batch.ts';
import { planeView } from '../mpe/drawing.ts';
import { compile } from '../mpe/parameters.ts';
import { sizeOf } from '../mpe/sight.ts';
import type { State } from '../mpe/state.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { CATALOGUE } from './catalogue.ts';
import { Conversation } from './conversation.ts';
import { draw } from './drawing.ts';
import { FEATURES, observeFeatures } from './features.ts';
import { optionsSchema } from './options.ts';
import {
  DRAWN,
  GOAL_PATH,
  LANDMARK_COUNT,
  MOVE_COUNTS,
  PARAMETERS,
  type Role,
  ROLES,
  SCRIPTED_POLICIES,
  SEAT_COUNT,
} from './parameters.ts';
import { TalkPartners } from './partners.ts';
import { TalkJudge } from './rewards.ts';
import { ListenerSense, OBSERVATIONS, SpeakerSense } from './senses.ts';
import { simulatorSchema, startSchema } from './simulator-data.ts';

const card: FamilyCard = {
  state:
    'Position and velocity of the speaker (who never moves) and of the listener, position of the three landmarks, in a ' +
    'plane without walls; which landmark is the goal (`goal`), and what the listener hears (`heard`: three numbers, all ' +
    '0 before the first word). Lengths are in units of half the side of the square in which an episode starts, times in ' +
    'seconds (a step lasts 0.1 s). Bodies pass through one another. A word is heard in the step after it was said, as a ' +
    'one-hot, unless the channel (`perturbations.channel_…`) makes something else of it.',
  actions: [
    'the listener does nothing; the speaker says 0: it cannot be silent',
    'the listener pushes left (−x); the speaker says 1',
    'the listener pushes right (+x); the speaker says 2',
    'the listener pushes down (−y)',
    'the listener pushes up (+y)',
  ],
  rewards:
    'Both get −squared_distance · d² − distance · d, with d the distance of the listener to the goal, and `arrival` for ' +
    'each step at the goal; only the first of these weights is not 0 in MPE2. The return of an episode is the sum over ' +
    'both seats, twice what MPE2 shows for an agent. Words show in no reward but through what a listener does later: ' +
    'the reward `difference` of a speaker is always 0.',
  ends: 'Never by itself; every episode is truncated after `episode_steps`. Success: the listener is within 0.1 of the goal.',
  start:
    'Agents and landmarks uniform in [−1, 1]², at rest, or about `scenarios.start`; the goal uniform, or in proportion ' +
    'to `scenarios.goal_weights`, or that of `scenarios.start`.',
  policies: {
    noop: 'stays where it is; a speaker says 0 always',
    random: 'takes a random action, in proportion to `action_bias`',
    faithful: 'says the index of the goal',
    code_book: 'says, or understands, the symbols of the code book `code_book`',
    drawn_code_book: 'says the goal in a code book that is drawn for each episode',
    once: 'says the index of the goal in the first step, and then 0',
    greedy: 'goes to the landmark whose index it hears, and to the middle of all while it hears nothing',
    lazy: 'does the same, but stops within 0.5 of the landmark',
    centre: 'goes to the middle of the landmarks, the best that one can do who hears nothing',
    nearest_landmark: 'goes to the landmark nearest to it now',
    fixed_landmark: 'goes to the landmark with the index `landmark`',
  },
  returns:
    'Means of 640 episodes (standard error): both random −82.6 (2.7), in MPE2 itself −79.0 (2.6); `noop` and ' +
    '`centre`, so without a word −30.8 (0.9); `code_book` 3 and `greedy`, so misunderstood −59.2 (1.6); `faithful` ' +
    'and `lazy` −18.0 (0.6); `faithful` and `greedy` −15.3 (0.6), where every episode ends at the goal. Both learning ' +
    'from nothing, 500 000 env steps of `base`, default settings, seeds 0 and 1, 320 episodes: `mappo` −16.3 and ' +
    '−23.1, a code and half of one; `qmix` −17.8 and −17.8; `ippo` −31.0 and −31.6, a listener as deaf as ' +
    '`centre`, and −22.9 and −24.0 after 2 000 000 (`experiments/speaker-listener-learning.json`).',
  picture:
    'Circles are the speaker, 0, and the listener, 1, with the symbol that it hears; the ring is the goal, reached when ' +
    'the middle of the listener lies within; grey discs are the other landmarks.',
  source:
    'MPE2 1.1.1, `mpe2/simple_speaker_listener` and `mpe2/_mpe_utils`, with which `test/golden` agrees step by step. ' +
    'Lowe et al.: Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments (NIPS 2017).',
};

/**
 * A speaker, on seat 0, knows which of three landmarks is the goal; a listener, on seat 1, has to go there, by the rules
 * of MPE2 1.1.1. The card above says the rest but for the layout of the observations, `OBSERVATIONS` in `senses.ts`.
 */
export const simpleSpeakerListener: Family = {
  name: 'simple_speaker_listener',
  version: 'mpe2-1.1.1/1',
  summary: 'A speaker tells a listener to which landmark to go (MPE2).',
  card,
  optionsSchema,
  open,
};

const SCRIPTED_REFERENCES = { speaker: 'faithful', listener: 'greedy' } as const satisfies Record<Role, string>;

/** A little more than the square that everything starts in. */
const VIEW_HALF_WIDTH = 1.2;

function open(given: Readonly<Record<string, unknown>>): World {
  const options = optionsSchema.parse(given);
  const world: MpeWorld = {
    family: simpleSpeakerListener.name,
    seatCount: SEAT_COUNT,
    landmarkCount: LANDMARK_COUNT,
    episodeStepsMax: options.episode_steps,
    isContinuous: false,
    moveCounts: MOVE_COUNTS,
    parameters: PARAMETERS,
    bodies: { seats: [null, { mass: 'rules.mass', acceleration: 'rules.acceleration' }] },
    createParts,
  };
  return {
    family: simpleSpeakerListener.name,
    version: simpleSpeakerListener.version,
    options,
    seatCount: SEAT_COUNT,
    groups: ROLES.map(groupOf),
    cooperative: true,
    episodeStepsMax: options.episode_steps,
    hasSuccess: true,
    rewardLag: REWARD_LAG,
    features: FEATURES,
    positionFeatures: ['x', 'y'],
    parameters: PARAMETERS,
    scriptedPolicies: [...new Set([...SCRIPTED_POLICIES.speaker, ...SCRIPTED_POLICIES.listener])],
    scriptedReference: SCRIPTED_REFERENCES.speaker,
    simulatorSchema: simulatorSchema(),
    startSchema: startSchema(),
    catalogue: CATALOGUE,
    compile: (simulator: SimulatorData) => compile(PARAMETERS, simulator, { [GOAL_PATH]: DRAWN }),
    createBatch: (environmentCount) => new MpeBatch(environmentCount, world),
    view: planeView(VIEW_HALF_WIDTH),
    draw,
  };
}

function createParts(state: State, columns: ParameterColumns): MpeParts {
  const conversation = new Conversation(state, columns);
  return {
    happenings: conversation,
    partners: new TalkPartners(state, columns, conversation),
    judge: new TalkJudge(state, columns, conversation),
    senses: [new SpeakerSense(conversation), new ListenerSense(state, conversation)],
    observeFeatures: (out) => observeFeatures(state, conversation, out),
  };
}

/** Seats are in the order of roles. */
function groupOf(role: Role, seat: number): SeatGroup {
  return {
    role,
    seats: [seat],
    observationSize: sizeOf(OBSERVATIONS[role]),
    observation: OBSERVATIONS[role],
    actions: { kind: 'discrete', count: MOVE_COUNTS[seat]! },
    scriptedReference: SCRIPTED_REFERENCES[role],
  };
}
