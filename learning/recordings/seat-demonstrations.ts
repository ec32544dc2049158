import { actionSizeOf } from '../../simulators/actions.ts';
import type { World } from '../../simulators/contract.ts';
import type { Demonstrations } from '../imitation/demonstrations.ts';
import type { RecordedEpisode } from './recording-reader.ts';

// Letters: n samples, I observation features, W numbers of an action.

/**
 * What one seat did in what it saw: the observation of a step, with the action that stands at the next.
 * @returns null where nothing of it was recorded
 */
export function seatDemonstrations(
  world: World,
  episodes: readonly RecordedEpisode[],
  seat: number,
): Demonstrations | null {
  const { observationSize: inputSize, actions: space } = world.groups.find(({ seats }) => seats.includes(seat))!;
  const inputs: (readonly number[])[] = [];
  const actions: (number | readonly number[])[] = [];
  const places: number[] = [];
  episodes.forEach(({ steps }, place) => {
    steps.slice(1).forEach(({ actions: done }, index) => {
      const seen = steps[index]!.observations?.[seat];
      const action = done?.[seat];
      if (!seen || action === null || action === undefined) return;
      inputs.push(seen);
      actions.push(action);
      places.push(place);
    });
  });
  if (inputs.length === 0) return null;
  const taken = new (space.kind === 'discrete' ? Int32Array : Float32Array)(actions.length * actionSizeOf(world));
  taken.set(actions.flat());
  const packed = new Float32Array(inputs.length * inputSize);
  inputs.forEach((seen, row) => packed.set(seen, row * inputSize));
  return { inputSize, space, inputs: packed, actions: taken, episodes: Int32Array.from(places) };
}
