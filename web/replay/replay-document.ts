import type { Shape } from '../../simulators/drawing.ts';
import type { StoredFailure } from '../../infra/postgres/failure-rows.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import type { Replay, ReplayBody } from '../contract/simulators.ts';
import type { Episode } from './episode.ts';
import { widenedView } from './widened-view.ts';

// K frames, N seats, W numbers of an action.

/** A mined episode that was played again, as the page draws it; the failure itself is told by others. */
export function replayDocument(
  episode: Episode,
  { actions, values }: Pick<StoredFailure, 'actions' | 'values'>,
): Omit<Replay, 'failure'> {
  return {
    family: episode.title,
    caption: episode.caption,
    ending: episode.ending,
    cooperative: episode.cooperative,
    seats: episode.drivers.map(({ name, isScripted }, seat) => ({
      role: episode.groups.find(({ seats }) => seats.includes(seat))!.role,
      driver: name,
      is_scripted: isScripted,
    })),
    action_names: [...DEFAULT_REGISTRIES.families[episode.title]!.card.actions],
    view: widenedView(episode),
    bodies: bodiesOf(episode),
    frames: episode.frames.map(({ rewards }, step) => ({
      step,
      rewards: [...(rewards ?? [])],
      actions: step === 0 ? [] : actionsBySeat(actions[step - 1]!, episode.drivers.length),
      value: values[step] ?? null,
    })),
  };
}

/** @param joint shape [N W] @returns by seat the action, or the numbers of its box */
function actionsBySeat(joint: readonly number[], seatCount: number): (number | number[])[] {
  const size = joint.length / seatCount;
  if (size === 1) return [...joint];
  return Array.from({ length: seatCount }, (_, seat) => joint.slice(seat * size, (seat + 1) * size));
}

/** Everything that was ever drawn, from the back to the front. */
function bodiesOf({ frames }: Episode): ReplayBody[] {
  const bodies = new Map<string, ReplayBody>();
  frames.forEach(({ drawing }, frame) => {
    for (const shape of drawing.shapes) {
      const body = bodies.get(shape.id) ?? { ...looksOf(shape), places: frames.map(() => null) };
      body.places[frame] = [shape.x, shape.y];
      bodies.set(shape.id, body);
    }
  });
  return [...bodies.values()].map((body) => ({ ...body, places: shortened(body.places) }));
}

function looksOf(shape: Shape): Omit<ReplayBody, 'places'> {
  const { id, role, kind, seat = null, label = null } = shape;
  const [width, height] = shape.kind === 'circle' ? [2 * shape.radius, 2 * shape.radius] : [shape.width, shape.height];
  return { id, role, kind, width, height, seat, label };
}

/** One place stands for all where nothing moves. @param places shape [K] */
function shortened(places: ReplayBody['places']): ReplayBody['places'] {
  const first = places[0]!;
  const stays =
    first !== null && places.every((place) => place !== null && place[0] === first[0] && place[1] === first[1]);
  return stays ? [first] : places;
}
