import { z } from 'zod';
import { independentValues } from './iql.ts';
import { type ValueDefaults, valueSettings } from './value-based/parameters.ts';
import { valueAlgorithm } from './value-based/value-algorithm.ts';

const DEFAULTS: ValueDefaults = { gamma: 0.95, learningRate: 1e-3, minibatchSize: 128, updatesPerBlock: 80 };

/**
 * Deep Q-learning of a single learner: independent Q-learning for one seat.
 *
 * @source Mnih et al. 2015: Human-level control through deep reinforcement learning
 */
export const dqn = valueAlgorithm(
  {
    name: 'dqn',
    aliases: [],
    summary: 'deep Q-learning of a single learner with replay and double Q-learning',
    learnersMax: 1,
    parametersSchema: (world) => z.strictObject({ name: z.literal('dqn'), ...valueSettings(world, DEFAULTS) }),
  },
  () => independentValues,
);
