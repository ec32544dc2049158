import type { Drawing, Shape, ShapeRole, View } from '../drawing.ts';
import type { Start } from './simulator-data.ts';

/** A square about the origin. */
export function planeView(halfWidth: number): View {
  return { left: -halfWidth, bottom: -halfWidth, width: 2 * halfWidth, height: 2 * halfWidth };
}

/** How a world of MPE2 draws what it has. Lengths are those of the world. */
export interface PlaneLooks {
  readonly landmarkRole: ShapeRole;
  readonly landmarkRadius: number;
  readonly agentRadius: (seat: number) => number;
}

/** Half the side of the square in which MPE2 starts agents. */
const GROUND_HALF_WIDTH = 1;

/** The square that agents start in, landmarks with their index, agents with their seat. */
export function drawPlane(state: Readonly<Record<string, unknown>>, looks: PlaneLooks): Drawing {
  const { agents, landmarks } = state as Pick<Start, 'agents' | 'landmarks'>;
  const side = 2 * GROUND_HALF_WIDTH;
  const ground: Shape = { id: 'ground', role: 'ground', kind: 'rectangle', x: 0, y: 0, width: side, height: side };
  const landmarkShapes = landmarks.map(([x, y], index): Shape => {
    const { landmarkRole: role, landmarkRadius: radius } = looks;
    return { id: `landmark ${index}`, role, kind: 'circle', x, y, radius, label: String(index) };
  });
  const agentShapes = agents.map(([x, y], seat): Shape => {
    const radius = looks.agentRadius(seat);
    return { id: `seat ${seat}`, role: 'seat', kind: 'circle', x, y, radius, seat, label: String(seat) };
  });
  return { shapes: [ground, ...landmarkShapes, ...agentShapes] };
}
