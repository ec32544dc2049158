import type { Family, FamilyCard, SimulatorData, World } from '../contract.ts';
import { KitchenBatch, REWARD_LAG } from './batch.ts';
import { CATALOGUE } from './catalogue.ts';
import { draw, viewOf } from './drawing.ts';
import { stateFeatures } from './features.ts';
import { createFloorPlan } from './floor-plan.ts';
import { observationParts } from './observation.ts';
import { optionsSchema } from './options.ts';
import { compile, createParameters, SCRIPTED_POLICIES } from './parameters.ts';
import { createSimulatorSchema, createStartSchema } from './simulator-data.ts';
import { ACTION_COUNT, SEATS } from './state.ts';

const card: FamilyCard = {
  state:
    'Layout; cell, look and hands of both cooks; what lies on counters; what is in pots and for how long it has been ' +
    'cooking. Row 0 is at the top (north), column 0 at the left (west). In a step first seat 0 interacts with what it ' +
    'faces, then seat 1; then both move at once; then soups cook. A move turns the cook, also where it cannot go. Where ' +
    'both would end in one cell, or would change places, neither moves. Three ingredients fill a pot; one with fewer may ' +
    'be turned on, too.',
  actions: ['stay', 'north (row − 1)', 'south (row + 1)', 'east (column + 1)', 'west (column − 1)', 'interact'],
  rewards:
    'A soup that is served pays its worth, `soup_ooo` (three onions) 20, of which both cooks get half, or, as far as ' +
    '`shared` is below 1, who serves it more. Everything else pays whoever does it, times `shaping`: an ingredient put ' +
    'into a pot 3, a dish taken when one is needed 3, a soup taken from its pot 5. The return of an episode is the sum ' +
    'over both seats and over all of these: with `shaping` 0 it is what the package calls the sparse reward, and only ' +
    'such returns can be compared with published ones.',
  ends: 'Never `ended`; truncated after `episode_steps`. Success is at least one soup served that is worth something.',
  start:
    'As the drawing of the layout says, looking north, with nothing in hands or pots; or a given start. Then cooks within ' +
    '`start_spread` steps of that, and pots and hands filled with the probabilities of `scenarios`.',
  policies: {
    stay: 'stays where it is',
    random: 'takes a random action, in proportion to `action_bias`',
    greedy: 'does what is due next by the shortest way, makes way where the other is in the way',
    onion_only: 'brings ingredients to pots, turns full ones on, and nothing else',
    plate_only: 'brings dishes, takes soups, serves them, and nothing else',
  },
  returns:
    'Mean of 100 episodes of 400 steps, soups alone (`shaping` 0) and, in brackets, with all rewards. Two of `greedy`: ' +
    'cramped_room 166 (317), asymmetric_advantages 280 (503), coordination_ring 216 (413), forced_coordination 260 ' +
    '(484), counter_circuit 181 (346). `onion_only` beside `plate_only`: 190, 420, 134, 0 and 123. Two random ones: 0.4 ' +
    '(8.2) in cramped_room, 0 in the others (7.0, 5.6, 3.1, 0.4). Two that `ippo` trained together in cramped_room (all ' +
    'rewards, drawn actions, 1 M env steps, seeds 0 and 1): 455 and 454; soups alone 240 each.',
  picture:
    'Blocks are counters and, with their letter, onions, tomatoes, dishes, pots and serving; circles are cooks with their ' +
    'seat, a dot for where they look, and a badge for what they carry; a soup that cooks has a ~.',
  source:
    'overcooked-ai 1.1.0, with which `test/golden` agrees in every state and reward; there `counter_circuit` is ' +
    '`counter_circuit_o_1order`, and `counter_circuit_tomato` is `counter_circuit`. Carroll et al.: On the Utility of ' +
    'Learning about Humans for Human-AI Coordination (NeurIPS 2019).',
};

/**
 * Two cooks in a kitchen that is a drawing (see `layout-drawing.ts`). The rules are those of overcooked-ai 1.1.0; for the
 * order of a step see `interactions.ts`, `movement.ts` and `cooking.ts`. The card above says the rest but for what follows.
 *
 * **Layouts** are numbered: the built-in ones, then those of `family_options.layouts` by name. A simulator has the number
 * in `scenarios.layout` (a spec may write the name), so that ranges and generators change it like any other number. One
 * world holds all of them, so that a policy can be trained in some and tested in others.
 *
 * **Observation** of a seat: 106 numbers, the same for both seats, whatever the layout. They are made in the manner of the
 * package's `featurize_state`, because its other encoding, one plane a kind of cell, changes its size with the layout and
 * wants a convolutional network. Of each cook, itself first: where it looks and what it holds (one-hot); which of its four
 * sides are blocked; what it has in front (one-hot: onion, tomato, dish, soup, serving, empty counter, pot), which the
 * package leaves to be worked out; rows and columns to the nearest of each of these, 0 where it has none or holds it; the
 * two nearest pots. Then the way to the other cook, and the own cell. "Nearest" counts steps over floor, without turns.
 *
 * **Perturbations**: as in foraging there is no noise on observations, which are whole numbers.
 */
export const kitchen: Family = {
  name: 'kitchen',
  version: 'overcooked-ai-1.1.0/1',
  summary: 'Two cooks make and serve soups in a small kitchen, and have to get along (Overcooked-AI).',
  card,
  optionsSchema,
  open,
};

function open(given: Readonly<Record<string, unknown>>): World {
  const options = optionsSchema.parse(given);
  const plan = createFloorPlan(options);
  const parameters = createParameters(plan, options.layout);
  const observation = observationParts();
  return {
    family: kitchen.name,
    version: kitchen.version,
    options,
    seatCount: SEATS,
    groups: [
      {
        role: 'cook',
        seats: Array.from({ length: SEATS }, (_, seat) => seat),
        observationSize: observation.reduce((sum, part) => sum + part.length, 0),
        observation,
        actions: { kind: 'discrete', count: ACTION_COUNT },
      },
    ],
    cooperative: true,
    episodeStepsMax: options.episode_steps,
    hasSuccess: true,
    rewardLag: REWARD_LAG,
    features: stateFeatures(plan),
    positionFeatures: ['row', 'column'],
    parameters,
    scriptedPolicies: SCRIPTED_POLICIES,
    scriptedReference: 'greedy',
    simulatorSchema: createSimulatorSchema(plan, options.layout) as unknown as World['simulatorSchema'],
    startSchema: createStartSchema(plan),
    catalogue: CATALOGUE,
    compile: (simulator: SimulatorData) => compile(parameters, simulator),
    createBatch: (environmentCount) => new KitchenBatch(environmentCount, parameters, plan, options.episode_steps),
    view: viewOf(plan),
    draw: (state) => draw(plan, state),
  };
}
