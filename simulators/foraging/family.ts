import type { Family, SimulatorData, World } from '../contract.ts';
import { ForagingBatch } from './batch.ts';
import { CATALOGUE } from './catalogue.ts';
import { stateFeatures } from './features.ts';
import { observationParts } from './observation.ts';
import { optionsSchema } from './options.ts';
import { compile, createParameters, SCRIPTED_POLICIES } from './parameters.ts';
import { createSimulatorSchema, createStartSchema } from './simulator-data.ts';
import { ACTION_COUNT } from './state.ts';

/**
 * # foraging
 *
 * Level-based foraging: N = 2 … 8 players collect M = 1 … 10 items of food on a field of S × S cells. Players and food
 * have levels; food is lifted by players beside it who load at once and whose levels add up to its level. The rules are
 * those of lbforaging 2.0.0.
 *
 * **State.** Cell and level of every player, cell and level of the food that is left. Row 0 is at the top (north),
 * column 0 at the left (west).
 *
 * **Actions.** 0 none, 1 north (row − 1), 2 south (row + 1), 3 west (column − 1), 4 east (column + 1), 5 load. A move out
 * of the field or onto food and a load without food beside are illegal: they act as none, and the action mask tells.
 *
 * **Order of a step.** All moves at once: where two or more players have the same cell as their goal, nobody of them
 * moves; staying players have their own cell as goal. Then all loads: see `movement.ts` and `loading.ts`.
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
 * **Rewards** of a seat, when food it loads is lifted: level · food / (levels of its loaders · all food at the start), so
 * that all food is worth 1 in total. A load with too few levels costs `penalty` (0). The return of an episode is the sum
 * over all seats, the share of the food that was collected, though each player is paid for its own part alone: with
 * `force_coop` nobody gets anything alone, without it players compete for what one can lift. `rewards.shared` = 1 pays
 * everybody the mean.
 *
 * **Ends.** `ended` when no food is left, which is success; else truncated after `episode_steps` (50).
 *
 * **Start.** Players on any cells, food on inner cells apart from other food; levels uniform in the ranges of
 * `scenarios`, or about a given start. See `start-states.ts`.
 *
 * **Parameters** with defaults, ranges and units: `parameters.ts`. **Partners**: `partners.ts` and `food-choice.ts`; the
 * heuristics H1 … H4 of the package are `nearest_food`, `central_food`, `own_level_food` and `team_level_food`.
 * **Perturbations**: dropped observations, sticky actions, delay of the actions given from outside. There is no noise on
 * observations: they are whole numbers, and noise below half a cell would hide nothing from who rounds.
 *
 * **Returns** on 640 episodes of `Foraging-8x8-2p-2f` and of its `-coop`: uniformly random players 0.19 and 0.01, two of
 * `nearest_food` 0.60 and 0.19 (they get into each other's way), two of `cooperative_food` 1.00 and 1.00.
 *
 * **Names of the package.** `Foraging-8x8-2p-2f-v3` is `{}`, `-coop` is `force_coop`, `-2s` is `sight: 2`.
 *
 * **Source.** lbforaging 2.0.0, with which `test/golden` agrees step by step. Papoudakis et al.: Benchmarking Multi-Agent
 * Deep Reinforcement Learning Algorithms in Cooperative Tasks (NeurIPS Datasets and Benchmarks 2021).
 */
export const foraging: Family = {
  name: 'foraging',
  version: 'lbforaging-2.0.0/1',
  summary: 'N players with levels collect food with levels, alone or together (level-based foraging).',
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
    features: stateFeatures(options.field_size),
    parameters,
    scriptedPolicies: SCRIPTED_POLICIES,
    scriptedReference: 'cooperative_food',
    simulatorSchema: createSimulatorSchema(options) as World['simulatorSchema'],
    startSchema: createStartSchema(options),
    catalogue: CATALOGUE,
    compile: (simulator: SimulatorData) => compile(parameters, simulator),
    createBatch: (environmentCount) => new ForagingBatch(environmentCount, parameters, options),
  };
}
