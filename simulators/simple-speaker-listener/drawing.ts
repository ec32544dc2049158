import type { Drawing, Shape } from '../drawing.ts';
import { drawPlane } from '../mpe/drawing.ts';
import { symbolHeard } from './code-books.ts';
import type { TalkStart } from './conversation.ts';
import { LISTENER } from './parameters.ts';
import { ARRIVED_DISTANCE } from './rewards.ts';

/** @source mpe2/simple_speaker_listener: Scenario.make_world */
const AGENT_SIZE = 0.075;
/** Where what is heard stands, seen from the middle of the listener, and how large it is drawn. */
const BADGE_SHIFT = 0.09;
const BADGE_RADIUS = 0.05;

/**
 * Agents as large as they are; the goal as large as the circle that the middle of the listener must reach, the other
 * landmarks as discs; beside the listener the symbol that it hears.
 */
export function draw(state: Readonly<Record<string, unknown>>): Drawing {
  const { agents, goal, heard } = state as unknown as TalkStart;
  const { shapes } = drawPlane(state, {
    landmarkRole: 'obstacle',
    landmarkRadius: ARRIVED_DISTANCE,
    agentRadius: () => AGENT_SIZE,
  });
  const marked = shapes.map((shape): Shape => (shape.id === `landmark ${goal}` ? { ...shape, role: 'target' } : shape));
  const symbol = symbolHeard(Float64Array.from(heard), 0);
  return symbol < 0 ? { shapes: marked } : { shapes: [...marked, badge(agents[LISTENER]!, symbol)] };
}

/** Each symbol is a shape of its own, because under one id only the position changes. */
function badge([x, y]: readonly [number, number], symbol: number): Shape {
  const place = { x: x + BADGE_SHIFT, y: y - BADGE_SHIFT };
  const id = `heard ${symbol}`;
  return { id, role: 'badge', kind: 'circle', ...place, radius: BADGE_RADIUS, seat: LISTENER, label: String(symbol) };
}
