import path from 'node:path';
import { EpisodeSource } from '../../learning/rollout/episode-source.ts';
import { actionSizeOf } from '../../simulators/actions.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { keyFrom, PURPOSE } from '../../simulators/random.ts';
import { playSteps } from '../../web/replay/play-steps.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { type ActionSource, createChooser } from './rollout-actions.ts';
import { print } from '../terminal/terminal.ts';

export interface RecordRequest extends ActionSource {
  /** The first of an evaluation with this seed. */
  readonly episodes: number;
  readonly seed: number;
}

/**
 * Plays episodes of one simulator and prints them as `thaw import trajectories` reads them: the lines of a rollout, each
 * with its episode and with what every seat did to get there.
 * @param name of the simulator, which the names of the episodes begin with
 */
export async function recordEpisodes(
  { world, simulator, name }: { world: World; simulator: SimulatorData; name: string },
  request: RecordRequest,
): Promise<void> {
  const batch = world.createBatch(1);
  const source = new EpisodeSource(world, [{ simulator, weight: 1, randomization: {} }]);
  const prefix = path.basename(name, path.extname(name)).replaceAll(/[^A-Za-z0-9._]/g, '_');
  for (let index = 0; index < request.episodes; index += 1) {
    const episode = `${prefix}-${request.seed}-${index}`;
    const key = keyFrom(request.seed, PURPOSE.evaluation, index);
    source.start(batch, 0, 0, key);
    const chooser = await createChooser(world, batch, key, request);
    try {
      await playSteps(world, batch, chooser, ({ step, ...seen }, actions) => {
        print(jsonText({ episode, step, actions: actions && bySeat(world, actions), ...seen }));
      });
    } finally {
      await chooser.release();
    }
  }
}

/** Shape [N W] as one entry a seat: the index of an action, or the numbers of a box. */
function bySeat(world: World, actions: readonly number[]): (number | readonly number[])[] {
  if (world.groups[0]!.actions.kind === 'discrete') return [...actions];
  const size = actionSizeOf(world);
  return Array.from({ length: world.seatCount }, (_, seat) => actions.slice(seat * size, (seat + 1) * size));
}
