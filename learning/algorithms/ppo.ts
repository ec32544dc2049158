import { proximalAlgorithm } from './proximal/algorithm.ts';

/**
 * Proximal policy optimization of a single seat.
 *
 * @source Schulman et al.: Proximal Policy Optimization Algorithms (arXiv 1707.06347)
 */
export const ppo = proximalAlgorithm(
  {
    name: 'ppo',
    aliases: [],
    summary: 'PPO of one seat, where the others do not learn',
    learnersMax: 1,
  },
  { centralCritic: false },
);
