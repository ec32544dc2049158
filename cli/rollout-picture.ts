import { writeFile } from 'node:fs/promises';
import { ThawError } from '../schemas/errors.ts';
import type { Batch, SimulatorData, World } from '../simulators/contract.ts';
import { FAMILIES } from '../simulators/registry.ts';
import type { Episode } from './render/episode.ts';
import { renderSvg } from './render/render-svg.ts';
import type { Chooser } from './rollout-actions.ts';
import type { RolloutStep } from './rollout-steps.ts';
import { note } from './terminal.ts';

/** An episode that was played, and how it is told. */
export interface PlayedRollout extends Pick<Episode, 'subtitle' | 'mark'> {
  readonly world: World;
  readonly simulator: SimulatorData;
  readonly chooser: Chooser;
  readonly batch: Batch;
  readonly steps: readonly RolloutStep[];
}

/** Writes an episode as an animated picture. @throws REQUEST_BAD_ARGUMENT when the file cannot be written */
export async function writePicture(file: string, played: PlayedRollout): Promise<void> {
  await writeFile(file, renderSvg(episodeOf(played))).catch((error: unknown) => {
    throw new ThawError('REQUEST_BAD_ARGUMENT', `${file} cannot be written: ${(error as Error).message}`);
  });
  note(`${file}: ${played.steps.length} frames.`);
}

function episodeOf({ world, simulator, chooser, batch, steps, subtitle, mark }: PlayedRollout): Episode {
  return {
    title: world.family,
    subtitle,
    caption: captionOf(world, mark),
    ending: endingOf(steps.at(-1)!),
    view: world.view,
    groups: world.groups,
    cooperative: world.cooperative,
    drivers: Array.from({ length: world.seatCount }, (_, seat) => {
      const isScripted = batch.external[seat] !== 1;
      const name = isScripted ? `scripted: ${simulator.partners[seat]!.name}` : chooser.driver(seat);
      return { name, isScripted };
    }),
    frames: steps.map(({ state, rewards }) => ({ drawing: world.draw(state, simulator.rules), rewards })),
    ...(mark === undefined ? {} : { mark }),
  };
}

function captionOf({ family }: World, mark: Episode['mark']): string {
  const { picture } = FAMILIES[family]!.card;
  return mark === undefined ? picture : `${picture} A small red ring is where a seat was at the ${mark.text}.`;
}

function endingOf({ ended, truncated }: RolloutStep): string {
  if (ended) return 'task over';
  return truncated ? 'time over' : 'no more actions';
}
