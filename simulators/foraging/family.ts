import type { Family, FamilyCard, SimulatorData, World } from '../contract.ts';
import { ForagingBatch, REWARD_LAG } from './batch.ts';
import { CATALOGUE } from './catalogue.ts';
import { draw, viewOf } from './drawing.ts';
import { stateFeatures } from './features.ts';
import { observationParts } from './observation.ts';
import { optionsSchema } from './options.ts';
import { compile, createParameters, SCRIPTED_POLICIES } from './parameters.ts';
import { createSimulatorSchema, createStartSchema } from './simulator-data.ts';
import { ACTION_COUNT } from './state.ts';

const card: FamilyCard = {
  state:
    'Cell and level of every player, cell and level of the food that is left. Row 0 is at the top (north), column 0 at ' +
    'the left (west). In a step all move at once: where two or more players have the same cell as their goal, nobody of ' +
    'them moves; staying players have their own cell as goal. Then all loads take place.',
  actions: ['none', 'north (row − 1)', 'south (row + 1)', 'west (column − 1)', 'east (column + 1)', 'load'],
  rewards:
    'A seat gets, when food it loads is lifted, level · food / (levels of its loaders · all food at the start), so that ' +
    'all food is worth 1 in total. A load with too few levels costs `penalty` (0). The return of an episode is the sum ' +
    'over all seats, the share of the food that was collected, though each player is paid for its own part alone: with ' +
    '`force_coop` nobody gets anything alone, without it players compete for what one can lift. `rewards.shared` = 1 ' +
    'pays everybody the mean.',
  ends: '`ended` when no food is left, which is success; else truncated after `episode_steps`.',
  start:
    'Players on any cells, food on inner cells apart from other food; levels uniform in the ranges of `scenarios`, or ' +
    'about a given start.',
  policies: {
    noop: 'stays where it is',
    random: 'takes a random legal action, in proportion to `action_bias`',
    nearest_food: 'goes to its nearest food (H1 of the package)',
    central_food: 'goes to the food nearest to the centre of the players it sees (H2)',
    own_level_food: 'goes to the nearest food it can load alone (H3)',
    team_level_food: 'goes to the most central food that all players it sees can load together (H4)',
    farthest_food: 'goes to its farthest food',
    highest_food: 'goes to the food of the highest level',
    lowest_food: 'goes to the food of the lowest level',
    topmost_food: 'goes to the top-most food',
    bottommost_food: 'goes to the bottom-most food',
    leftmost_food: 'goes to the left-most food',
    rightmost_food: 'goes to the right-most food',
    follow_partner: 'goes to the food nearest to another player',
    cooperative_food: 'goes to the most central food, around what is in its way, and makes way for others',
  },
  returns:
    'On 640 episodes of `Foraging-8x8-2p-2f` and of its `-coop`: uniformly random players 0.19 and 0.01, two of ' +
    '`nearest_food` 0.60 and 0.19 (they get into each other’s way), two of `cooperative_food` 1.00 and 1.00.',
  picture: 'Circles are players with their seat, badges their levels; squares are food with its level.',
  source:
    'lbforaging 2.0.0, with which `test/golden` agrees step by step; there `Foraging-8x8-2p-2f-v3` is `{}`, `-coop` is ' +
    '`force_coop`, `-2s` is `sight: 2`. Papoudakis et al.: Benchmarking Multi-Agent Deep Reinforcement Learning ' +
    'Algorithms in Cooperative Tasks (NeurIPS Datasets and Benchmarks 2021).',
};

/**
 * Level-based foraging: N = 2 … 8 players collect M = 1 … 10 items of food on a field of S × S cells. Players and food
 * have levels; food is lifted by players beside it who load at once and whose levels add up to its level. The rules are
 * those of lbforaging 2.0.0; for the order of a step see `movement.ts` and `loading.ts`. The card above says the rest but
 * for what follows.
 *
 * **Legality.** A move out of the field or onto food and a load without food beside are illegal: they act as none, and
 * the action mask tells.
 *
 * **Observation** of a seat: 3M + 3N numbers. Rows and columns are counted from the first row and column that the seat
 * sees, which is the corner of the field when it sees all. What is not seen is −1, −1, 0, after what is seen.
 *
 * | index | what | unit |
 * |--|--|--|
 * | 3i, 3i + 1, i < M | row, column of the i-th food that is seen, in reading order | cells |
 * | 3i + 2 | its level | level |
 * | 3M, 3M + 1 | own row, column | cells |
 * | 3M + 2 | own level | level |
 * | 3M + 3j, 3M + 3j + 1, 0 < j < N | row, column of the j-th other player that is seen, in the order of the seats | cells |
 * | 3M + 3j + 2 | its level | level |
 *
 * **Perturbations**: there is no noise on observations: they are whole numbers, and noise below half a cell would hide
 * nothing from who rounds.
 */
export const foraging: Family = {
  name: 'foraging',
  version: 'lbforaging-2.0.0/1',
  summary: 'N players with levels collect food with levels, alone or together (level-based foraging).',
  card,
  optionsSchema,
  open,
};

function open(given: Readonly<Record<string, unknown>>): World {
  const options = optionsSchema.parse(given);
  const parameters = createParameters(options);
  const observation = observationParts(options);
  return {
    family: foraging.name,
    version: foraging.version,
    options,
    seatCount: options.players,
    groups: [
      {
        role: 'player',
        seats: Array.from({ length: options.players }, (_, seat) => seat),
        observationSize: observation.reduce((sum, part) => sum + part.length, 0),
        observation,
        actions: { kind: 'discrete', count: ACTION_COUNT },
        masked: true,
      },
    ],
    cooperative: true,
    episodeStepsMax: options.episode_steps,
    hasSuccess: true,
    rewardLag: REWARD_LAG,
    features: stateFeatures(options.field_size),
    positionFeatures: ['row', 'column'],
    parameters,
    scriptedPolicies: SCRIPTED_POLICIES,
    scriptedReference: 'cooperative_food',
    simulatorSchema: createSimulatorSchema(options) as World['simulatorSchema'],
    startSchema: createStartSchema(options),
    catalogue: CATALOGUE,
    compile: (simulator: SimulatorData) => compile(parameters, simulator),
    createBatch: (environmentCount) => new ForagingBatch(environmentCount, parameters, options),
    view: viewOf(options.field_size),
    draw: (state, rules) => draw(options.field_size, state, rules),
  };
}
