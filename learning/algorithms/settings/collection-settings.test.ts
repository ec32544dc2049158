import { expect, it } from 'vitest';
import { z } from 'zod';
import { openSpread } from '../../../test/support/small-learning.ts';
import type { World } from '../../../simulators/contract.ts';
import { REWARD_KINDS } from '../../rollout/learned-rewards.ts';
import { collectionSettings } from './collection-settings.ts';

const asked = openSpread({ agents: 2, episode_steps: 7 });
const withoutLag = ({ rewardLag: _lag, ...world }: World): World => world;
const silent = withoutLag(asked);
const settingsIn = (world: World) => z.strictObject(collectionSettings(world, { parallelEnvironments: 4 }));

it('collects one episode of each environment, and rewards as the world does, where nothing is said', () => {
  expect(settingsIn(asked).parse({})).toEqual({
    parallel_environments: 4,
    rollout_steps: 7,
    reward: 'own',
    reward_normalization: false,
  });
});

it('refuses the reward of a difference, and no other, in a world that cannot tell what would have been', () => {
  for (const reward of REWARD_KINDS) {
    expect(settingsIn(asked).safeParse({ reward }).success).toBe(true);
    const { success, error } = settingsIn(silent).safeParse({ reward });
    expect(success).toBe(reward !== 'difference');
    if (!success) expect(error.issues).toMatchObject([{ path: ['reward'], params: { remedy: 'Write own or team.' } }]);
  }
});
