import type { View } from '../../simulators/drawing.ts';
import type { Episode } from './episode.ts';

/** What a picture shows: the view of the world, widened evenly where seats or targets left it. */
export function widenedView({ view, frames }: Pick<Episode, 'view' | 'frames'>): View {
  const middle = { x: view.left + view.width / 2, y: view.bottom + view.height / 2 };
  let factor = 1;
  for (const shape of frames.flatMap(({ drawing }) => drawing.shapes)) {
    if (shape.role !== 'seat' && shape.role !== 'target') continue;
    const [extentX, extentY] =
      shape.kind === 'circle' ? [shape.radius, shape.radius] : [shape.width / 2, shape.height / 2];
    factor = Math.max(
      factor,
      (Math.abs(shape.x - middle.x) + extentX) / (view.width / 2),
      (Math.abs(shape.y - middle.y) + extentY) / (view.height / 2),
    );
  }
  const [width, height] = [view.width * factor, view.height * factor];
  return { left: middle.x - width / 2, bottom: middle.y - height / 2, width, height };
}
