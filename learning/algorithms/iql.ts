import { z } from 'zod';
import { add, multiply } from '../graph/operators.ts';
import { NO_SHARED_NETWORKS, type Objective } from './value-based/objective.ts';
import { type ValueDefaults, valueSettings } from './value-based/parameters.ts';
import { valueAlgorithm } from './value-based/value-algorithm.ts';

// Letters: M transitions, L learners.

/** The best found: docs/studies/value-based-settings.md. */
const DEFAULTS: ValueDefaults = { gamma: 0.95, learningRate: 1e-3, minibatchSize: 128, updatesPerBlock: 80 };

/** Every learner's action is worth its own reward and what it can get next: [M L] of each. */
export const independentValues: Objective = {
  isJoint: false,
  shared: NO_SHARED_NETWORKS,
  predictions: ({ seats, discount }) => ({
    predicted: seats.chosen,
    targets: add(seats.rewards, multiply(discount, seats.next)),
    counts: seats.learning,
  }),
};

/**
 * Independent Q-learning: every seat learns from its own observation and reward; seats of one group share a network.
 *
 * @source Tan 1993: Multi-Agent Reinforcement Learning: Independent vs. Cooperative Agents; with deep networks, Tampuu
 *   et al. 2017 (arXiv 1511.08779)
 */
export const iql = valueAlgorithm(
  {
    name: 'iql',
    aliases: ['independent_q_learning'],
    summary: 'independent deep Q-learning with replay and parameter sharing between seats of one role',
    parametersSchema: (world) => z.strictObject({ name: z.literal('iql'), ...valueSettings(world, DEFAULTS) }),
  },
  () => independentValues,
);
