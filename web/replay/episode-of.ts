import type { Batch, SimulatorData, World } from '../../simulators/contract.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import type { Episode } from './episode.ts';
import type { Chooser, RolloutStep } from './play-steps.ts';

/** An episode that was played. */
export interface PlayedRollout {
  readonly world: World;
  readonly simulator: SimulatorData;
  readonly chooser: Chooser;
  readonly batch: Batch;
  readonly steps: readonly RolloutStep[];
}

/** What is seen of an episode that was played. @param told what it is called, and which frame is special */
export function episodeOf(
  { world, simulator, chooser, batch, steps }: PlayedRollout,
  told: Pick<Episode, 'subtitle' | 'mark'>,
): Episode {
  const frames = steps.map(({ state, rewards }) => ({ drawing: world.draw(state, simulator.rules), rewards }));
  return {
    title: world.family,
    caption: DEFAULT_REGISTRIES.families[world.family]!.card.picture,
    ending: endingOf(steps.at(-1)!),
    view: frames[0]?.drawing.view ?? world.view,
    groups: world.groups,
    cooperative: world.cooperative,
    drivers: Array.from({ length: world.seatCount }, (_, seat) => {
      const isScripted = batch.external[seat] !== 1;
      const name = isScripted ? `scripted: ${simulator.partners[seat]!.name}` : chooser.driver(seat);
      return { name, isScripted };
    }),
    frames,
    ...told,
  };
}

function endingOf({ ended, truncated }: RolloutStep): string {
  if (ended) return 'task over';
  return truncated ? 'time over' : 'no more actions';
}
