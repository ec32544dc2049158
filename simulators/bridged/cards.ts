import type { FamilyCard } from '../contract.ts';

const POLICIES: FamilyCard['policies'] = {
  noop: 'does action 0, or of a box what is nearest to 0; with probability `epsilon` a random action',
  random: 'takes any legal action, all alike',
  constant: 'does `action`: its number, or of a box how far from its low to its high side; `epsilon` likewise',
};

const COMMON = {
  actions: [],
  policies: POLICIES,
  returns: 'Those of the environment; `thaw simulators returns FILE` measures random players on the panels of a spec.',
  picture: 'Discs are seats, at the first two state features; nothing else is known of an environment behind a bridge.',
};

/** What is the same of every environment of an interface. */
export const CARDS: Readonly<Record<'pettingzoo' | 'gymnasium', FamilyCard>> = {
  pettingzoo: {
    ...COMMON,
    state: 'That of the environment. What is told of it is the seed of the episode and the actions since.',
    rewards: 'Those of the environment, by agent.',
    ends:
      'When no agent is left: ended if all of the last ones were terminated, else truncated; and truncated after ' +
      '`episode_steps`. An agent that leaves before sees zeros, gets 0, and where the world has masks may do action 0 alone.',
    start: "Drawn by the environment from its seed, which follows from the episode's key.",
    source: 'PettingZoo: Terry et al., PettingZoo: Gym for Multi-Agent Reinforcement Learning (NeurIPS 2021).',
  },
  gymnasium: {
    ...COMMON,
    state: 'That of the environment. What is told of it is the seed of the episode and the actions since.',
    rewards: 'That of the environment.',
    ends: 'As the environment says: terminated is ended, truncated is truncated; and truncated after `episode_steps`.',
    start: "Drawn by the environment from its seed, which follows from the episode's key.",
    source: 'Gymnasium: Towers et al., Gymnasium: A Standard Interface for Reinforcement Learning Environments (2024).',
  },
};
