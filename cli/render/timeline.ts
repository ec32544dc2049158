import { element, short } from './svg.ts';

// K frames, one for the start and for every step.

/** Time that a step takes, where the episode is short enough; a long one is played in EPISODE_S_MAX. */
const STEP_S = 0.35;
const EPISODE_S_MAX = 60;
/** Time that the last frame stays before everything begins anew. */
const REST_S = 1.5;

/** When the frames of a looping picture are seen. Frame k stands for itself at k · step, between frames things move. */
export class Timeline {
  readonly frameCount: number;
  private readonly durationS: number;
  /** Share of the duration at which a frame is reached, the shape being [K]. */
  private readonly starts: readonly string[];

  /** @param frameCount K, at least 1 */
  constructor(frameCount: number) {
    const stepS = Math.min(STEP_S, EPISODE_S_MAX / frameCount);
    this.frameCount = frameCount;
    this.durationS = (frameCount - 1) * stepS + REST_S;
    this.starts = Array.from({ length: frameCount }, (_, frame) => shareText((frame * stepS) / this.durationS));
  }

  /** Moves the element it is put in, smoothly. @param places shape [K]: shift in pixels in every frame */
  moving(places: readonly (readonly [x: number, y: number])[]): string {
    const values = places.map(([x, y]) => `${short(x)} ${short(y)}`);
    if (values.every((value) => value === values[0])) return '';
    return element('animateTransform', {
      attributeName: 'transform',
      type: 'translate',
      dur: `${short(this.durationS)}s`,
      repeatCount: 'indefinite',
      keyTimes: [...this.starts, '1'].join(';'),
      values: [...values, values.at(-1)!].join(';'),
    });
  }

  /** Shows the element it is put in during some frames alone. @param isShown shape [K] */
  showing(isShown: readonly boolean[]): string {
    const changes = isShown.flatMap((shown, frame) => (frame === 0 || shown !== isShown[frame - 1] ? [frame] : []));
    if (changes.length < 2) return '';
    return element('animate', {
      attributeName: 'visibility',
      calcMode: 'discrete',
      dur: `${short(this.durationS)}s`,
      repeatCount: 'indefinite',
      keyTimes: changes.map((frame) => this.starts[frame]).join(';'),
      values: changes.map((frame) => visibility(isShown[frame]!)).join(';'),
    });
  }
}

/** The attribute for a viewer that does not animate: it shows the first frame. */
export function visibility(isShown: boolean): string {
  return isShown ? 'visible' : 'hidden';
}

function shareText(share: number): string {
  return String(Math.round(share * 1e5) / 1e5);
}
