import { z } from 'zod';
import type { World } from '../../../simulators/contract.ts';
import { REWARD_KINDS } from '../../rollout/learned-rewards.ts';

/** How experience is collected, and with what it is rewarded. @param defaults.rolloutSteps one episode where it is left out */
export function collectionSettings(
  world: World,
  defaults: {
    readonly parallelEnvironments: number;
    readonly rolloutSteps?: number;
    readonly rewardNormalization?: boolean;
  },
) {
  return {
    parallel_environments: z
      .int()
      .min(1)
      .max(65536)
      .default(defaults.parallelEnvironments)
      .describe('Environments stepped together.'),
    rollout_steps: z
      .int()
      .min(1)
      .max(100_000)
      .default(defaults.rolloutSteps ?? world.episodeStepsMax)
      .describe('Steps of each environment between updates.'),
    reward: rewardSetting(world),
    reward_normalization: z
      .boolean()
      .default(defaults.rewardNormalization ?? false)
      .describe(
        'Rewards are divided by the deviation of the returns of their simulator, so that scales do not compete.',
      ),
  };
}

function rewardSetting({ family, rewardLag }: World) {
  return z
    .enum(REWARD_KINDS)
    .default('own')
    .superRefine((kind, context) => {
      if (kind !== 'difference' || rewardLag !== undefined) return;
      context.addIssue({
        code: 'custom',
        message: `own or team: ${family} cannot tell what would have been had a seat done nothing`,
        params: { remedy: 'Write own or team.' },
      });
    })
    .describe(
      'What learners are rewarded with. own: what the world gives their seat; team: the sum over all seats of the world; ' +
        'difference: by how much that is more than if the seat had done nothing. Reported returns are the world’s own.',
    );
}
