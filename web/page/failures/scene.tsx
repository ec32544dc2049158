import { seriesColor } from '../charts/line.ts';
import { BodyShape } from './body-shape.tsx';
import { colorIndexOf, momentOf, placeAt, placeBetween, type ShownBody, type ShownReplay } from './replay-course.ts';

interface SceneProps {
  readonly replay: ShownReplay;
  /** Where the episode is, from 0 to the last frame. */
  readonly position: number;
  /** What the picture is, for those who do not see it. */
  readonly label: string;
}

const isBack = ({ role }: ShownBody): boolean => role === 'ground' || role === 'grid';

/** The world as it draws itself, with the paths of the seats and rings where they are at the key moment. */
export function Scene({ replay, position, label }: SceneProps) {
  const { view, bodies } = replay;
  const moment = momentOf(replay);
  const seats = bodies.filter(({ role }) => role === 'seat');
  const colorOf = ({ seat }: ShownBody) => (seat === null ? '--ink' : seriesColor(colorIndexOf(replay, seat)));
  const shape = (body: ShownBody) => {
    const place = placeBetween(body, position);
    if (place === null) return null;
    const isScripted = body.seat !== null && replay.seats[body.seat]!.is_scripted;
    return (
      <BodyShape key={body.id} body={body} place={place} color={colorOf(body)} isScripted={isScripted} view={view} />
    );
  };
  const isAtMoment = Math.floor(position) === moment;
  return (
    <svg
      class={isAtMoment ? 'scene scene-moment' : 'scene'}
      viewBox={`${view.left} ${-(view.bottom + view.height)} ${view.width} ${view.height}`}
      role="img"
      aria-label={label}
    >
      {bodies.filter(isBack).map(shape)}
      {seats.map((body) => (
        <Path key={body.id} body={body} color={colorOf(body)} />
      ))}
      {moment !== null &&
        seats.map((body) => <Ring key={body.id} body={body} frame={moment} size={0.022 * view.width} />)}
      {bodies.filter((body) => !isBack(body)).map(shape)}
    </svg>
  );
}

/** Where a seat goes through the episode. */
function Path({ body, color }: { readonly body: ShownBody; readonly color: string }) {
  const points = body.places.flatMap((place) => (place === null ? [] : [`${place[0]},${-place[1]}`]));
  if (points.length < 2) return null;
  return <polyline class="seat-path" points={points.join(' ')} style={{ stroke: `var(${color})` }} />;
}

/** Where a seat is at the key moment. */
function Ring({ body, frame, size }: { readonly body: ShownBody; readonly frame: number; readonly size: number }) {
  const place = placeAt(body, frame);
  return place === null ? null : <circle class="moment-ring" cx={place[0]} cy={-place[1]} r={size} />;
}
