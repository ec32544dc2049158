import type { SimulatorData } from '../contract.ts';
import type { Drawing } from '../drawing.ts';
import { drawPlane } from '../mpe/drawing.ts';
import { COVERED_DISTANCE } from './rewards.ts';

/** Agents as large as they are; landmarks as large as the circle that the middle of an agent must reach to cover them. */
export function draw(state: Readonly<Record<string, unknown>>, rules: SimulatorData['rules']): Drawing {
  return drawPlane(state, {
    landmarkRole: 'target',
    landmarkRadius: COVERED_DISTANCE,
    agentRadius: () => rules['agent_size']!,
  });
}
