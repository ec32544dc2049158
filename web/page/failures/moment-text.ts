import { numberText } from '../parts/number-text.ts';
import { courseOf, placeAt, type Place, type ShownBody, type ShownReplay } from './replay-course.ts';

/** What happens at the key moment of a failure, for those who do not see the picture: sentences. */
export function momentText(replay: ShownReplay): string[] {
  const { failure, frames } = replay;
  const moment = failure.key_moment;
  const reward = courseOf(replay).rewards[moment + 1] ?? null;
  return [
    failure.has_critic
      ? `Step ${moment} of ${failure.steps} is the key moment: the value that the critic expects goes from ` +
        `${numberText(frames[moment]?.value)} to ${numberText(frames[moment + 1]?.value)}${fallText(replay)}.`
      : NO_CRITIC,
    `The step brings a reward of ${numberText(reward)}, ${courseOf(replay).of}.`,
    ...replay.seats.map((_, seat) => seatText(replay, seat)),
  ];
}

/** A trainer of somebody else gives a policy and no critic. */
const NO_CRITIC =
  'The key moment is not known: no critic says what was expected of the states, and so not where it went wrong. ' +
  'The first step stands for it.';

function fallText({ failure: { key_moment: moment }, frames }: ShownReplay): string {
  const [before, after] = [frames[moment]?.value ?? NaN, frames[moment + 1]?.value ?? NaN];
  const fall = before - after;
  if (Number.isNaN(fall)) return '';
  return fall > 0 ? `, a fall by ${numberText(fall)}` : ', where it rises least';
}

/** Who it is, where it is, what is nearest to it, and what it does. */
function seatText(replay: ShownReplay, seat: number): string {
  const { failure, bodies, seats, frames } = replay;
  const moment = failure.key_moment;
  const own = bodies.find((body) => body.role === 'seat' && body.seat === seat);
  const place = own === undefined ? null : placeAt(own, moment);
  const { role, driver } = seats[seat]!;
  const who = `Seat ${seat} (${role}, ${driver})`;
  const action = frames[moment + 1]?.actions[seat];
  const does = action === undefined ? '' : ` does “${actionText(replay, action)}”`;
  if (own === undefined || place === null) return `${who}${does}.`;
  const others = bodies.filter((body) => body.role === 'seat' && body !== own);
  // Where roles meet, those of another one matter: a prey to its hunters.
  const opposed = others.filter((body) => body.seat !== null && seats[body.seat]!.role !== role);
  const targets = bodies.filter((body) => body.role === 'target');
  const near = [opposed.length > 0 ? opposed : others, targets]
    .map((candidates) => nearest(candidates, place, moment))
    .filter((each) => each !== null);
  const where = `is at (${numberText(place[0])}, ${numberText(place[1])})`;
  const beside = near.length === 0 ? '' : `, ${near.join(' and ')}`;
  return `${who} ${where}${beside}${does === '' ? '' : `, and${does}`}.`;
}

/** An action by its name; by its number where it has none. Of a box how much of what, the most first. */
export function actionText(
  { action_names: names }: Pick<ShownReplay, 'action_names'>,
  action: number | readonly number[],
): string {
  if (typeof action === 'number') return names[action] ?? String(action);
  return action
    .map((share, index) => ({ share, name: names[index] ?? String(index) }))
    .toSorted((one, other) => other.share - one.share)
    .map(({ share, name }) => `${numberText(share)} ${name}`)
    .join(', ');
}

/** Which of some bodies is nearest to a place, and how far away. */
function nearest(bodies: readonly ShownBody[], place: Place, moment: number): string | null {
  const found = bodies
    .flatMap((body) => {
      const other = placeAt(body, moment);
      return other === null ? [] : [{ body, distance: Math.hypot(other[0] - place[0], other[1] - place[1]) }];
    })
    .sort((a, b) => a.distance - b.distance)[0];
  if (found === undefined) return null;
  const { role, seat, label } = found.body;
  return `${numberText(found.distance)} from ${role === 'seat' ? `seat ${seat}` : `${role} ${label ?? ''}`.trim()}`;
}
