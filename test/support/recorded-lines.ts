import type { RecordedStep } from '../../learning/recordings/recorded-step.ts';
import { actionHead } from '../../learning/rollout/action-head.ts';
import type { World } from '../../simulators/contract.ts';
import { foldIn, keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { playSteps } from '../../web/replay/play-steps.ts';

/** Episodes in the default simulator of a world, everybody acting at random, as `thaw rollout --episodes` tells them. */
export async function recordedSteps(world: World, episodes: number): Promise<RecordedStep[]> {
  const batch = world.createBatch(1);
  const parameters = world.compile(world.simulatorSchema.parse({}));
  const recorded: RecordedStep[] = [];
  for (let episode = 0; episode < episodes; episode += 1) {
    const key = keyFrom(11, episode);
    const random = new RandomStream(foldIn(key, PURPOSE.actionSampling));
    const choose = async (
      _step: number,
      _batch: unknown,
      into: Parameters<ReturnType<typeof actionHead>['any']>[1],
    ) => {
      world.groups.forEach(({ seats, actions }) => {
        const head = actionHead(actions);
        seats.forEach((seat) => head.any(random, into, seat * head.actionSize));
      });
    };
    const chooser = { stepCount: Infinity, driver: () => 'random', choose, release: async () => undefined };
    batch.reset(0, parameters, key);
    await playSteps(world, batch, chooser, (step, actions) => {
      recorded.push({ episode: `e${episode}`, ...step, actions, masks: null });
    });
  }
  return recorded;
}

export const linesFrom = (steps: readonly object[]): string[] => steps.map((step) => JSON.stringify(step));
