import type { SimulatorData } from '../contract.ts';
import type { Drawing, Shape, View } from '../drawing.ts';
import type { Start } from './simulator-data.ts';

/** All lengths are in cells. Row 0 is at the top, so its middle has y = S − 0.5. */
const PLAYER_RADIUS = 0.34;
const FOOD_SIDE = 0.72;
/** Where the level of a player stands, seen from its middle. */
const BADGE_SHIFT = 0.3;
const BADGE_RADIUS = 0.17;
/** How far apart players who share a cell are drawn. */
const SHARING_SHIFT = 0.24;

type Placed = Start['players'][number];

export function viewOf(size: number): View {
  return { left: 0, bottom: 0, width: size, height: size };
}

/**
 * The field with its cells, food with its level, players with their seat and, as a badge, their level; around a player
 * the cells that it sees, where that is not the whole field. Players who share a cell stand side by side.
 * @param size rows, and columns, of the field
 */
export function draw(size: number, state: Readonly<Record<string, unknown>>, rules: SimulatorData['rules']): Drawing {
  const { players, food } = state as Pick<Start, 'players' | 'food'>;
  const middles = players.map((player, seat) => ({
    x: player[1] + 0.5 + SHARING_SHIFT * sharingPlace(players, seat),
    y: size - player[0] - 0.5,
  }));
  const sight = rules['sight']!;
  const isNearSighted = sight < size - 1;
  return {
    shapes: [
      ...fieldShapes(size),
      ...(isNearSighted ? players.map((player, seat) => sightShape(size, player, seat, sight)) : []),
      ...food.map((item) => foodShape(size, item)),
      ...middles.flatMap(({ x, y }, seat): Shape[] => [
        { id: `seat ${seat}`, role: 'seat', kind: 'circle', x, y, radius: PLAYER_RADIUS, seat, label: String(seat) },
        badge(x + BADGE_SHIFT, y - BADGE_SHIFT, seat, players[seat]![2]),
      ]),
    ],
  };
}

/** Where a player stands among those in its cell, 0 being the middle. */
function sharingPlace(players: readonly Placed[], seat: number): number {
  const [row, column] = players[seat]!;
  const sharing = players.flatMap((other, index) => (other[0] === row && other[1] === column ? [index] : []));
  return sharing.indexOf(seat) - (sharing.length - 1) / 2;
}

function fieldShapes(size: number): Shape[] {
  const half = size / 2;
  const inner = Array.from({ length: size - 1 }, (_, index) => index + 1);
  const line = { role: 'grid', kind: 'line' } as const;
  return [
    { id: 'field', role: 'ground', kind: 'rectangle', x: half, y: half, width: size, height: size },
    ...inner.map((x): Shape => ({ ...line, id: `column ${x}`, x, y: half, width: 0, height: size })),
    ...inner.map((y): Shape => ({ ...line, id: `row ${y}`, x: half, y, width: size, height: 0 })),
  ];
}

/** What a player sees of the field. It is drawn whole, beyond the border too, so that its size never changes. */
function sightShape(size: number, [row, column]: Placed, seat: number, sight: number): Shape {
  const side = 2 * sight + 1;
  const middle = { x: column + 0.5, y: size - row - 0.5 };
  return { id: `sight ${seat}`, role: 'sight', kind: 'rectangle', ...middle, width: side, height: side, seat };
}

/** Food never moves, so its place tells it apart. */
function foodShape(size: number, [row, column, level]: Placed): Shape {
  return {
    id: `food ${row} ${column}`,
    role: 'target',
    kind: 'rectangle',
    x: column + 0.5,
    y: size - row - 0.5,
    width: FOOD_SIDE,
    height: FOOD_SIDE,
    label: String(level),
  };
}

function badge(x: number, y: number, seat: number, level: number): Shape {
  return { id: `level ${seat}`, role: 'badge', kind: 'circle', x, y, radius: BADGE_RADIUS, seat, label: String(level) };
}
