import { numberText } from '../parts/number-text.ts';
import { courseOf, momentOf, type ShownReplay } from './replay-course.ts';

interface TimeLineProps {
  readonly replay: ShownReplay;
  readonly position: number;
  readonly onSeek: (frame: number) => void;
}

const WIDTH = 1000;
const HEIGHT = 60;

interface Scale {
  readonly low: number;
  readonly high: number;
}

/** Rewards and the critic's value over the steps, with where the episode is and its key moment. A click goes there. */
export function TimeLine({ replay, position, onSeek }: TimeLineProps) {
  const { rewards, values, of } = courseOf(replay);
  const last = replay.frames.length - 1;
  const seek = (event: MouseEvent & { readonly currentTarget: SVGSVGElement }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onSeek(((event.clientX - left) / width) * last);
  };
  const marks = { last, position, moment: momentOf(replay) };
  return (
    <div class="time-line">
      <Track title={`Reward of a step, ${of}`} numbers={rewards} marks={marks} isBars onClick={seek} />
      {replay.failure.has_critic ? (
        <Track title="Value that the critic expects" numbers={values} marks={marks} onClick={seek} />
      ) : (
        <p class="about">There is no critic: what was expected of the states is not known.</p>
      )}
    </div>
  );
}

interface TrackProps {
  readonly title: string;
  /** By frame. */
  readonly numbers: readonly (number | null)[];
  readonly marks: { readonly last: number; readonly position: number; readonly moment: number | null };
  readonly isBars?: boolean;
  readonly onClick: (event: MouseEvent & { readonly currentTarget: SVGSVGElement }) => void;
}

/** The slider and the table say the same: the picture is for eyes and pointers. */
function Track({ title, numbers, marks, isBars = false, onClick }: TrackProps) {
  const scale = scaleOf(numbers, isBars);
  const now = numbers[Math.floor(marks.position)] ?? null;
  const x = (frame: number) => (frame / Math.max(1, marks.last)) * WIDTH;
  return (
    <div class="track">
      <div class="track-head">
        <span>{title}</span>
        <strong>{numberText(now)}</strong>
      </div>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" onClick={onClick}>
        {scale === null ? null : isBars ? (
          <path class="track-bars" d={barPath(numbers, scale, x)} />
        ) : (
          <path class="track-curve" d={curvePath(numbers, scale, x)} />
        )}
        {scale !== null && hasZero(scale) && (
          <line class="track-zero" x1="0" x2={WIDTH} y1={heightOf(0, scale)} y2={heightOf(0, scale)} />
        )}
        {marks.moment !== null && (
          <line class="track-moment" x1={x(marks.moment)} x2={x(marks.moment)} y1="0" y2={HEIGHT} />
        )}
        <line class="track-now" x1={x(marks.position)} x2={x(marks.position)} y1="0" y2={HEIGHT} />
      </svg>
      <p class="track-range n">
        {scale === null ? 'nothing finite' : `${numberText(scale.low)} to ${numberText(scale.high)}`}
      </p>
    </div>
  );
}

/** The range of what is finite; bars stand on 0. */
function scaleOf(numbers: readonly (number | null)[], hasZero: boolean): Scale | null {
  const finite = numbers.filter((each): each is number => each !== null && Number.isFinite(each));
  if (finite.length === 0) return null;
  const all = hasZero ? [0, ...finite] : finite;
  return { low: Math.min(...all), high: Math.max(...all) };
}

const hasZero = ({ low, high }: Scale): boolean => low <= 0 && high >= 0 && low < high;

function heightOf(value: number, { low, high }: Scale): number {
  const share = high === low ? 0.5 : (high - value) / (high - low);
  return Math.round((3 + Math.min(1.5, Math.max(-0.5, share)) * (HEIGHT - 6)) * 100) / 100;
}

function barPath(numbers: readonly (number | null)[], scale: Scale, x: (frame: number) => number): string {
  const zero = heightOf(0, scale);
  const half = Math.min(12, (x(1) - x(0)) * 0.35);
  return numbers
    .map((value, frame) =>
      value === null || !Number.isFinite(value)
        ? ''
        : `M${x(frame) - half} ${zero}V${heightOf(value, scale)}H${x(frame) + half}V${zero}Z`,
    )
    .join('');
}

/** Gaps where a value cannot be drawn. */
function curvePath(numbers: readonly (number | null)[], scale: Scale, x: (frame: number) => number): string {
  let isOpen = false;
  return numbers
    .map((value, frame) => {
      if (value === null || !Number.isFinite(value)) {
        isOpen = false;
        return '';
      }
      const command = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${command}${x(frame)} ${heightOf(value, scale)}`;
    })
    .join('');
}
