import type { Shape, View } from '../../simulators/drawing.ts';
import type { Episode } from '../../web/replay/episode.ts';
import { COLORS, seatColor, seatLooks, shapeLooks } from './looks.ts';
import { element, short, textElement } from './svg.ts';
import { type Timeline, visibility } from './timeline.ts';

/** Where the scene lies on the page, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The world's own part of the page: from the coordinates of the world to pixels. */
class Camera {
  readonly scale: number;
  private readonly view: View;
  private readonly box: Box;

  constructor(view: View, box: Box) {
    this.scale = box.width / view.width;
    this.view = view;
    this.box = box;
  }

  place({ x, y }: Shape): [x: number, y: number] {
    const { left, bottom, height } = this.view;
    return [this.box.left + (x - left) * this.scale, this.box.top + (bottom + height - y) * this.scale];
  }
}

/** Everything that the world draws, each thing with its motion, and the paths of the seats. */
export function renderScene(episode: Episode, view: View, box: Box, timeline: Timeline): string {
  const camera = new Camera(view, box);
  const tracks = tracksOf(episode);
  const isBack = ({ role }: Shape) => role === 'ground' || role === 'grid';
  const shapes = (back: boolean) =>
    tracks
      .filter((track) => isBack(firstOf(track)) === back)
      .map((track) => renderTrack(episode, track, camera, timeline));
  const seats = tracks.filter((track) => firstOf(track).role === 'seat');
  const paths = seats.map((track) => pathOf(episode, track, camera));
  const marks = seats.map((track) => markOf(episode, track, camera));
  const { left: x, top: y, width, height } = box;
  const frame = element('rect', { x, y, width, height, fill: 'none', stroke: COLORS.line, rx: 4 });
  const clip = element('clipPath', { id: 'scene' }, element('rect', { x, y, width, height, rx: 4 }));
  const content = [...shapes(true), ...paths, ...marks, ...shapes(false)];
  const alarm = renderAlarm(episode, box, timeline);
  return clip + element('g', { 'clip-path': 'url(#scene)' }, ...content) + frame + alarm;
}

/** A strong edge about the scene, in the marked frame alone. */
function renderAlarm({ mark, frames }: Episode, box: Box, timeline: Timeline): string {
  if (mark === undefined) return '';
  const { left: x, top: y, width, height } = box;
  const looks = { fill: 'none', stroke: COLORS.mark, 'stroke-width': 4, rx: 4 };
  const isShown = frames.map((_, frame) => frame === mark.frame);
  const attributes = { x, y, width, height, ...looks, visibility: visibility(isShown[0]!) };
  return element('rect', attributes, timeline.showing(isShown));
}

/** One thing through the episode; undefined in the frames where it is not there. Shape [K]. */
type Track = readonly (Shape | undefined)[];

function tracksOf({ frames }: Episode): Track[] {
  const tracks = new Map<string, (Shape | undefined)[]>();
  frames.forEach(({ drawing }, frame) => {
    for (const shape of drawing.shapes) {
      const track = tracks.get(shape.id) ?? new Array<Shape | undefined>(frames.length).fill(undefined);
      track[frame] = shape;
      tracks.set(shape.id, track);
    }
  });
  return [...tracks.values()];
}

function firstOf(track: Track): Shape {
  return track.find((shape) => shape !== undefined)!;
}

function renderTrack(episode: Episode, track: Track, camera: Camera, timeline: Timeline): string {
  const first = firstOf(track);
  let last = first;
  // Where a thing is not there it waits, unseen, where it was last.
  const places = track.map((shape) => camera.place((last = shape ?? last)));
  const isShown = track.map((shape) => shape !== undefined);
  const [x, y] = places[0]!;
  const attributes = {
    transform: `translate(${short(x)} ${short(y)})`,
    visibility: isShown[0] ? undefined : visibility(false),
  };
  const motion = timeline.moving(places) + timeline.showing(isShown);
  return element(
    'g',
    attributes,
    motion,
    renderShape(episode, first, camera.scale),
    renderLabel(episode, first, camera.scale),
  );
}

function renderShape(episode: Episode, shape: Shape, scale: number): string {
  const color = shape.seat === undefined ? COLORS.ink : seatColor(episode, shape.seat);
  const looks =
    shape.role === 'seat'
      ? seatLooks(color, episode.drivers[shape.seat!]!.isScripted)
      : shapeLooks(shape.role, shape.kind, color);
  if (shape.kind === 'circle') return element('circle', { r: shape.radius * scale, ...looks });
  const [width, height] = [shape.width * scale, shape.height * scale];
  const [x, y] = [-width / 2, -height / 2];
  if (shape.kind === 'line') return element('line', { x1: x, y1: y, x2: -x, y2: -y, ...looks });
  return element('rect', { x, y, width, height, rx: shape.role === 'target' ? 6 : undefined, ...looks });
}

/** The label in the middle; that of a round target below it, where no seat covers it. Seats stand out. */
function renderLabel(episode: Episode, shape: Shape, scale: number): string {
  if (shape.label === undefined) return '';
  const radius = (shape.kind === 'circle' ? shape.radius : Math.min(shape.width, shape.height) / 2) * scale;
  const middle = { 'text-anchor': 'middle' };
  if (shape.role === 'obstacle')
    return textElement(shape.label, { ...middle, y: 4, 'font-size': 12, fill: COLORS.page });
  if (shape.role === 'target' && shape.kind === 'circle') {
    return textElement(shape.label, { ...middle, y: radius + 12, 'font-size': 12, fill: COLORS.targetEdge });
  }
  const isFull = shape.role === 'seat' && !episode.drivers[shape.seat!]!.isScripted;
  const size = Math.min(20, Math.max(9, radius * 1.2));
  const fill = isFull ? COLORS.page : COLORS.ink;
  return textElement(shape.label, { ...middle, y: size * 0.36, 'font-size': size, 'font-weight': 'bold', fill });
}

/** Where a seat goes, as a faint line. */
function pathOf(episode: Episode, track: Track, camera: Camera): string {
  const points = track.flatMap((shape) => (shape === undefined ? [] : [camera.place(shape).map(short).join(',')]));
  if (new Set(points).size < 2) return '';
  const stroke = seatColor(episode, firstOf(track).seat!);
  const looks = { fill: 'none', stroke, 'stroke-opacity': 0.3, 'stroke-width': 2, 'stroke-linejoin': 'round' };
  return element('polyline', { points: points.join(' '), ...looks });
}

/** Where a seat is in the marked frame, as a ring that stays. */
function markOf({ mark }: Episode, track: Track, camera: Camera): string {
  const shape = mark === undefined ? undefined : track[mark.frame];
  if (shape === undefined) return '';
  const [cx, cy] = camera.place(shape);
  return element('circle', { class: 'mark', cx, cy, r: 6, fill: 'none', stroke: COLORS.mark, 'stroke-width': 2 });
}
