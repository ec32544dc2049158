import type { Drawing, Shape, View } from '../drawing.ts';
import type { FloorPlan } from './floor-plan.ts';
import { isSoup, ITEM, ITEM_NAMES } from './items.ts';
import type { Start } from './simulator-data.ts';

/** All lengths are in cells. Row 0 is at the top, so its middle has y = rows of the largest layout − 0.5. */
const COOK_RADIUS = 0.34;
const STATION_SIDE = 0.96;
const ITEM_SIDE = 0.5;
/** Where the badge that tells what a cook carries stands, seen from its middle, and the dot that shows where it looks. */
const BADGE_SHIFT = 0.27;
const BADGE_RADIUS = 0.17;
const GAZE_SHIFT = 0.36;
const GAZE_RADIUS = 0.08;
/** North, south, east, west, as x and y. */
const GAZES = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
] as const;

/** Letters of drawings that are shown; a counter is a bare block. */
const SHOWN = 'OTDPS';

export function viewOf({ rowCount, stride }: FloorPlan): View {
  return { left: 0, bottom: 0, width: stride, height: rowCount };
}

/**
 * The layout with its stations by their letters, what lies about and what is in pots, cooks with their seat, the way they
 * look, and as a badge what they carry. Soups are shown by their ingredients, in pots with "~" while they cook.
 */
export function draw(plan: FloorPlan, state: Readonly<Record<string, unknown>>): Drawing {
  const { layout, players, objects } = state as Start;
  const middleOf = (row: number, column: number) => ({ x: column + 0.5, y: plan.rowCount - row - 0.5 });
  const things = objects.map(([row, column, item, cooking]): Shape => {
    const label = cooking > 0 ? `${shortName(item)}~` : shortName(item);
    const looks = { role: 'target', kind: 'rectangle', width: ITEM_SIDE, height: ITEM_SIDE, label } as const;
    return { id: `thing ${row} ${column} ${label}`, ...looks, ...middleOf(row, column) };
  });
  const cooks = players.flatMap(([row, column, facing, held], seat) =>
    cookShapes(middleOf(row, column), { seat, facing, held }),
  );
  return { shapes: [...groundShapes(plan, layout), ...things, ...cooks], view: viewOfLayout(plan, layout) };
}

/** Most layouts are smaller than the room that all of them have. */
function viewOfLayout(plan: FloorPlan, layout: number): View {
  const rows = plan.drawings[layout]!;
  return { left: 0, bottom: plan.rowCount - rows.length, width: rows[0]!.length, height: rows.length };
}

function groundShapes(plan: FloorPlan, layout: number): Shape[] {
  const rows = plan.drawings[layout]!;
  const [width, height] = [rows[0]!.length, rows.length];
  const ground = { id: 'floor', role: 'ground', kind: 'rectangle', width, height } as const;
  return [
    { ...ground, x: width / 2, y: plan.rowCount - height / 2 },
    ...rows.flatMap((line, row) =>
      [...line].flatMap((character, column): Shape[] => {
        if (!`X${SHOWN}`.includes(character)) return [];
        const place = { x: column + 0.5, y: plan.rowCount - row - 0.5, width: STATION_SIDE, height: STATION_SIDE };
        const label = SHOWN.includes(character) ? { label: character } : {};
        return [{ id: `station ${row} ${column}`, role: 'obstacle', kind: 'rectangle', ...place, ...label }];
      }),
    ),
  ];
}

interface Cook {
  readonly seat: number;
  readonly facing: number;
  readonly held: number;
}

function cookShapes({ x, y }: { readonly x: number; readonly y: number }, { seat, facing, held }: Cook): Shape[] {
  const [across, up] = GAZES[facing]!;
  const label = shortName(held);
  const badge = { role: 'badge', kind: 'circle', seat } as const;
  const carried: Shape[] =
    held === ITEM.nothing
      ? []
      : [
          {
            ...badge,
            id: `carried ${seat} ${label}`,
            x: x + BADGE_SHIFT,
            y: y - BADGE_SHIFT,
            radius: BADGE_RADIUS,
            label,
          },
        ];
  return [
    { id: `seat ${seat}`, role: 'seat', kind: 'circle', x, y, radius: COOK_RADIUS, seat, label: String(seat) },
    { ...badge, id: `gaze ${seat}`, x: x + GAZE_SHIFT * across, y: y + GAZE_SHIFT * up, radius: GAZE_RADIUS },
    ...carried,
  ];
}

/** The first letter of an item, of a soup its ingredients. */
function shortName(item: number): string {
  const name = ITEM_NAMES[item]!;
  return isSoup(item) ? name.replace('soup_', '') : name.charAt(0);
}
