import { proximalAlgorithm } from './proximal/algorithm.ts';

/**
 * Multi-agent proximal policy optimization: every seat acts on its own observation, and a critic that sees those of all
 * seats, and whose value it is asked for, tells the advantages. In execution nobody needs the critic.
 *
 * @source Yu et al.: The Surprising Effectiveness of PPO in Cooperative Multi-Agent Games (arXiv 2103.01955)
 */
export const mappo = proximalAlgorithm(
  {
    name: 'mappo',
    aliases: ['multi_agent_ppo'],
    summary: 'PPO with a central critic: it sees what all seats see, the actors what their own does',
  },
  { centralCritic: true },
);
