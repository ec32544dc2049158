import type { ScriptedPolicy } from './parameters.ts';
import type { Sight } from './sight.ts';
import type { State } from './state.ts';

/** Makes what a policy looks at first outweigh any squared distance on a field, which is 722 at most. */
const FIRST = 1000;

/** How a policy chooses among the food it sees: the lowest cost, the first of equals in reading order. */
interface Preference {
  /** Food of a higher level than this is left alone. */
  readonly levelLimit: 'none' | 'own' | 'team';
  /** Where distances are measured from; the centre is that of the players it sees, itself included. */
  readonly from: 'self' | 'centre' | 'partner';
  /** Weights of row, column, level and squared distance. */
  readonly row: number;
  readonly column: number;
  readonly level: number;
  readonly distance: number;
}

const NEAREST: Preference = { levelLimit: 'none', from: 'self', row: 0, column: 0, level: 0, distance: 1 };

/** The first four are H1 … H4 of the package. */
const PREFERENCES: Readonly<Partial<Record<ScriptedPolicy | 'external', Preference>>> = {
  nearest_food: NEAREST,
  central_food: { ...NEAREST, from: 'centre' },
  own_level_food: { ...NEAREST, levelLimit: 'own' },
  team_level_food: { ...NEAREST, levelLimit: 'team', from: 'centre' },
  farthest_food: { ...NEAREST, distance: -1 },
  highest_food: { ...NEAREST, level: -FIRST },
  lowest_food: { ...NEAREST, level: FIRST },
  topmost_food: { ...NEAREST, row: FIRST },
  bottommost_food: { ...NEAREST, row: -FIRST },
  leftmost_food: { ...NEAREST, column: FIRST },
  rightmost_food: { ...NEAREST, column: -FIRST },
  follow_partner: { ...NEAREST, from: 'partner' },
  cooperative_food: { ...NEAREST, levelLimit: 'team', from: 'centre' },
};

/**
 * Which food a scripted partner goes for, of what it sees. Rows and columns are counted in its window, where the package
 * rounds the centre of the players to the nearest cell, halves to even numbers.
 *
 * @source lbforaging 2.0.0, agents/agent.py: _closest_food; agents/heuristic_agent.py: H1 … H4
 */
export class FoodChoice {
  private readonly state: State;
  private readonly sight: Sight;
  private fromRow = 0;
  private fromColumn = 0;
  private levelLimit = Infinity;

  constructor(state: State, sight: Sight) {
    this.state = state;
    this.sight = sight;
  }

  /** The place of the chosen food in the arrays of food, −1 when there is none to choose. */
  choose(environment: number, seat: number, policy: ScriptedPolicy | 'external'): number {
    const preference = PREFERENCES[policy];
    if (preference === undefined) return -1;
    const { foodCount, foodCell, foodLevel } = this.state;
    this.sight.lookFrom(environment, seat);
    this.measure(environment, seat, preference);
    let best = -1;
    let bestCost = Infinity;
    for (let item = environment * foodCount; item < (environment + 1) * foodCount; item += 1) {
      const level = foodLevel[item]!;
      if (level === 0 || level > this.levelLimit || !this.sight.seesFood(foodCell[item]!)) continue;
      const cost = this.costOf(item, preference);
      if (cost >= bestCost) continue;
      bestCost = cost;
      best = item;
    }
    return best;
  }

  private costOf(item: number, { row, column, level, distance }: Preference): number {
    const { foodCell, foodLevel } = this.state;
    const atRow = this.rowOf(foodCell[item]!);
    const atColumn = this.columnOf(foodCell[item]!);
    const squared = (atRow - this.fromRow) ** 2 + (atColumn - this.fromColumn) ** 2;
    return row * atRow + column * atColumn + level * foodLevel[item]! + distance * squared;
  }

  /** Sets from where distances count, and the highest level that is not left alone. */
  private measure(environment: number, seat: number, { from, levelLimit }: Preference): void {
    const { seatCount, cell, level } = this.state;
    const self = environment * seatCount + seat;
    this.fromRow = this.rowOf(cell[self]!);
    this.fromColumn = this.columnOf(cell[self]!);
    if (from === 'partner') this.moveToPartner(environment, self);
    const team = from === 'centre' ? this.moveToCentre(environment) : 0;
    if (levelLimit === 'none') this.levelLimit = Infinity;
    else this.levelLimit = levelLimit === 'own' ? level[self]! : team;
  }

  /** @returns the sum of the levels of the players it sees */
  private moveToCentre(environment: number): number {
    const { seatCount, cell, level } = this.state;
    let count = 0;
    let rows = 0;
    let columns = 0;
    let levels = 0;
    for (let player = environment * seatCount; player < (environment + 1) * seatCount; player += 1) {
      if (!this.sight.seesPlayer(cell[player]!)) continue;
      count += 1;
      rows += this.rowOf(cell[player]!);
      columns += this.columnOf(cell[player]!);
      levels += level[player]!;
    }
    this.fromRow = roundHalfToEven(rows / count);
    this.fromColumn = roundHalfToEven(columns / count);
    return levels;
  }

  /** The nearest other player it sees; its own place when it sees none. */
  private moveToPartner(environment: number, self: number): void {
    const { seatCount, cell } = this.state;
    const ownRow = this.fromRow;
    const ownColumn = this.fromColumn;
    let nearest = Infinity;
    for (let player = environment * seatCount; player < (environment + 1) * seatCount; player += 1) {
      if (player === self || !this.sight.seesPlayer(cell[player]!)) continue;
      const row = this.rowOf(cell[player]!);
      const column = this.columnOf(cell[player]!);
      const squared = (row - ownRow) ** 2 + (column - ownColumn) ** 2;
      if (squared >= nearest) continue;
      nearest = squared;
      this.fromRow = row;
      this.fromColumn = column;
    }
  }

  private rowOf(cell: number): number {
    return this.state.rowOf[cell]! - this.sight.top;
  }

  private columnOf(cell: number): number {
    return this.state.columnOf[cell]! - this.sight.left;
  }
}

/** As numpy's rint does. */
function roundHalfToEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
