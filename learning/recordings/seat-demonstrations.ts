import { actionSizeOf } from '../../simulators/actions.ts';
import type { World } from '../../simulators/contract.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { Demonstrations } from '../imitation/demonstrations.ts';
import type { RecordedEpisode } from './recording-reader.ts';

// Letters: n samples, I observation features, W numbers of an action.

/**
 * What one seat did in what it saw: the observation of a step, with the action that stands at the next.
 * @throws REQUEST_BAD_ARGUMENT where an action was done that its mask forbids
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
  const masks: (readonly number[] | null)[] = [];
  const places: number[] = [];
  episodes.forEach(({ name, steps }, place) => {
    steps.slice(1).forEach(({ actions: done }, index) => {
      const seen = steps[index]!.observations?.[seat];
      const action = done?.[seat];
      if (!seen || action === null || action === undefined) return;
      const mask = steps[index]!.masks?.[seat] ?? null;
      if (mask !== null && mask[action as number] !== 1) throw illegal(`${name}@${index + 1}`, seat, action as number);
      inputs.push(seen);
      masks.push(mask);
      actions.push(action);
      places.push(place);
    });
  });
  if (inputs.length === 0) return null;
  const taken = new (space.kind === 'discrete' ? Int32Array : Float32Array)(actions.length * actionSizeOf(world));
  taken.set(actions.flat());
  const packed = new Float32Array(inputs.length * inputSize);
  inputs.forEach((seen, row) => packed.set(seen, row * inputSize));
  return {
    inputSize,
    space,
    inputs: packed,
    actions: taken,
    masks: packedMasks(masks),
    episodes: Int32Array.from(places),
  };
}

/** Where a step has none, all is legal. @returns null where no step has one */
function packedMasks(masks: readonly (readonly number[] | null)[]): Float32Array | null {
  const size = masks.find((mask) => mask !== null)?.length;
  if (size === undefined) return null;
  const packed = new Float32Array(masks.length * size).fill(1);
  masks.forEach((mask, row) => {
    if (mask !== null) packed.set(mask, row * size);
  });
  return packed;
}

function illegal(place: string, seat: number, action: number): ThawError {
  return new ThawError(
    'REQUEST_BAD_ARGUMENT',
    `At ${place} seat ${seat} did action ${action}, which its mask a line before says was illegal.`,
    { remedy: 'Masks stand with the observation they are for: of what may be done next. Or leave them out.' },
  );
}
