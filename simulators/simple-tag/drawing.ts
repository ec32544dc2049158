import type { SimulatorData } from '../contract.ts';
import type { Drawing } from '../drawing.ts';
import { drawPlane } from '../mpe/drawing.ts';
import { roleAt, type Seating } from './parameters.ts';

/** Agents and obstacles as large as they are. */
export function draw(
  seating: Seating,
  state: Readonly<Record<string, unknown>>,
  rules: SimulatorData['rules'],
): Drawing {
  return drawPlane(state, {
    landmarkRole: 'obstacle',
    landmarkRadius: rules['obstacle_size']!,
    agentRadius: (seat) => rules[`${roleAt(seating, seat)}_size`]!,
  });
}
