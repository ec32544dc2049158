import { z } from 'zod';
import type { World } from '../../../simulators/contract.ts';

/** How experience is collected. @param defaults.rolloutSteps one episode where it is left out */
export function collectionSettings(
  world: World,
  defaults: { readonly parallelEnvironments: number; readonly rolloutSteps?: number },
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
  };
}
