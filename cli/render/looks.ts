import type { Shape } from '../../simulators/drawing.ts';
import type { Episode } from '../../web/replay/episode.ts';
import type { Attributes } from './svg.ts';

export const COLORS = {
  page: '#ffffff',
  ground: '#f3f5f7',
  line: '#d5dae0',
  ink: '#1f2933',
  faintInk: '#5f6b7a',
  target: '#f6d55c',
  targetEdge: '#8a6d00',
  obstacle: '#9aa5b1',
  mark: '#b3261e',
} as const;

/** Okabe and Ito's colours that bear white numbers, then two of Tol's: told apart with any colour vision. */
const SEAT_COLORS = ['#0072b2', '#d55e00', '#009e73', '#aa4499', '#56719b', '#882255', '#8a6d00', '#332288'];

/** The colour of a seat: its own where all seats play one role, that of its role where there are several. */
export function seatColor({ groups }: Pick<Episode, 'groups'>, seat: number): string {
  const index = groups.length === 1 ? seat : groups.findIndex(({ seats }) => seats.includes(seat));
  return SEAT_COLORS[index % SEAT_COLORS.length]!;
}

/** Whoever comes from outside is a full disc, whoever is scripted a pale one with a broken edge: no colour is needed. */
export function seatLooks(color: string, isScripted: boolean): Attributes {
  return isScripted
    ? { fill: '#ffffff', 'fill-opacity': 0.6, stroke: color, 'stroke-width': 3, 'stroke-dasharray': '5 3' }
    : { fill: color, 'fill-opacity': 0.85, stroke: '#ffffff', 'stroke-width': 1.5 };
}

/** Looks of what is not a seat. @param color of the seat that the shape belongs to, if any */
export function shapeLooks(role: Exclude<Shape['role'], 'seat'>, kind: Shape['kind'], color: string): Attributes {
  switch (role) {
    case 'ground':
      return { fill: COLORS.ground, stroke: COLORS.line };
    case 'grid':
      return { stroke: COLORS.line };
    case 'target': {
      // A round target may lie below a seat: only its edge is drawn strongly, and shines through.
      const fill = { fill: COLORS.target, 'fill-opacity': kind === 'circle' ? 0.45 : 1 };
      return { ...fill, stroke: COLORS.targetEdge, 'stroke-width': 2 };
    }
    case 'obstacle':
      return { fill: COLORS.obstacle };
    case 'sight':
      return { fill: color, 'fill-opacity': 0.06, stroke: color, 'stroke-opacity': 0.5, 'stroke-dasharray': '2 4' };
    case 'badge':
      return { fill: COLORS.page, stroke: color, 'stroke-width': 1.5 };
  }
}
