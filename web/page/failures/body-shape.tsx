import type { Place, ShownBody, ShownReplay } from './replay-course.ts';

interface BodyProps {
  readonly body: ShownBody;
  readonly place: Place;
  /** Colour variable of its seat. */
  readonly color: string;
  readonly isScripted: boolean;
  readonly view: ShownReplay['view'];
}

/** One thing of the world. Seats bear their number, scripted ones have a broken edge: no colour is needed to tell them. */
export function BodyShape({ body, place, color, isScripted, view }: BodyProps) {
  const { role, kind, width, height, label } = body;
  const [x, y] = [place[0], -place[1]];
  const looks = {
    class: `body body-${role}${isScripted ? ' body-scripted' : ''}`,
    style: { '--own': `var(${color})` },
  };
  return (
    <g {...looks}>
      {kind === 'circle' && <circle cx={x} cy={y} r={width / 2} />}
      {kind === 'rectangle' && <rect x={x - width / 2} y={y - height / 2} width={width} height={height} />}
      {kind === 'line' && <line x1={x - width / 2} y1={y - height / 2} x2={x + width / 2} y2={y + height / 2} />}
      {label !== null && <Label body={body} place={place} text={label} view={view} />}
    </g>
  );
}

type LabelProps = Pick<BodyProps, 'body' | 'place' | 'view'> & { readonly text: string };

/** In the middle; that of a round target below it, where no seat covers it. */
function Label({ body: { role, kind, width, height }, place, text, view }: LabelProps) {
  const extent = Math.min(width, height);
  const isBelow = role === 'target' && kind === 'circle';
  const size = isBelow ? 0.032 * view.width : Math.max(0.024 * view.width, Math.min(0.05 * view.width, 0.6 * extent));
  const y = isBelow ? -place[1] + height / 2 + 0.8 * size : -place[1];
  return (
    <text x={place[0]} y={y} font-size={size} text-anchor="middle" dominant-baseline="central">
      {text}
    </text>
  );
}
