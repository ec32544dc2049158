import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import { ABSENT, LEVEL_OF_THREE } from './parameters.ts';
import type { Start } from './simulator-data.ts';
import { cellAt, EMPTY, type State, WALL } from './state.ts';

/** How often the package tries to place a player, and all food together. */
const ATTEMPTS_MAX = 1000;

interface PlaceColumns {
  readonly row: Float64Array;
  readonly column: Float64Array;
  readonly level: Float64Array;
}

/**
 * Draws the state an episode starts in, with the distribution of the package: players uniform over the cells without a
 * player, then food uniform over the inner cells that are free and not near other food, its level uniform up to what
 * the three weakest players reach. Food that found no place in 1000 attempts is left out.
 *
 * Two differences: the package lets players of the episode before block cells, here every episode is like its first;
 * and where its levels contradict each other it fails, here the lowest level gives way to the highest.
 *
 * Every player and item has its own segment of the stream, so that two simulators share the draws they have in common.
 *
 * @source lbforaging 2.0.0, ForagingEnv.spawn_players, spawn_food
 */
export class StartStates {
  private readonly state: State;
  private readonly players: readonly PlaceColumns[];
  private readonly food: readonly PlaceColumns[];
  private readonly spread: Float64Array;
  private readonly playerLevelMin: Float64Array;
  private readonly playerLevelMax: Float64Array;
  private readonly foodLevelMin: Float64Array;
  private readonly foodLevelMax: Float64Array;
  private readonly forceCoop: Float64Array;
  private readonly stream = new RandomStream({ high: 0, low: 0 });
  /** Shape [C]: a field without food. */
  private readonly bareField: Int32Array;

  constructor(state: State, columns: ParameterColumns) {
    const places = (kind: string, count: number) =>
      Array.from({ length: count }, (_, index): PlaceColumns => {
        const column = (part: number) => columns.column(`scenarios.start.${kind}.${index}.${part}`);
        return { row: column(0), column: column(1), level: column(2) };
      });
    this.state = state;
    this.players = places('players', state.seatCount);
    this.food = places('food', state.foodCount);
    this.spread = columns.column('scenarios.start_spread');
    this.playerLevelMin = columns.column('scenarios.min_player_level');
    this.playerLevelMax = columns.column('scenarios.max_player_level');
    this.foodLevelMin = columns.column('scenarios.min_food_level');
    this.foodLevelMax = columns.column('scenarios.max_food_level');
    this.forceCoop = columns.column('scenarios.force_coop');
    this.bareField = state.rowOf.map((row, cell) => {
      const column = state.columnOf[cell]!;
      return Math.min(row, column) < 0 || Math.max(row, column) >= state.size ? WALL : EMPTY;
    });
  }

  /** @param keyHigh, keyLow the episode's key */
  draw(environment: number, keyHigh: number, keyLow: number): void {
    this.clear(environment);
    this.stream.rekeyFolded(keyHigh, keyLow, PURPOSE.startState);
    for (let seat = 0; seat < this.state.seatCount; seat += 1) this.drawPlayer(environment, seat);
    this.drawFood(environment);
    this.orderFood(environment);
  }

  /** Puts a given start in place of the one drawn. */
  place(environment: number, start: Start): void {
    const { state } = this;
    const { seatCount, foodCount } = state;
    this.clear(environment);
    state.step[environment] = start.step;
    start.players.forEach(([row, column, level], seat) => {
      state.cell[environment * seatCount + seat] = cellAt(state, row, column);
      state.level[environment * seatCount + seat] = level;
    });
    start.food.forEach(([row, column, level], item) =>
      this.putFood(environment, environment * foodCount + item, cellAt(state, row, column), level),
    );
    this.orderFood(environment);
    if (start.spawned !== undefined) state.spawned[environment] = start.spawned;
  }

  private clear(environment: number): void {
    const { seatCount, foodCount, step, field, foodCell, foodLevel, spawned, cell } = this.state;
    step[environment] = 0;
    spawned[environment] = 0;
    field.set(this.bareField, environment * this.bareField.length);
    foodCell.fill(0, environment * foodCount, (environment + 1) * foodCount);
    foodLevel.fill(0, environment * foodCount, (environment + 1) * foodCount);
    // Cell 0 is a part of the wall: nobody stands anywhere yet.
    cell.fill(0, environment * seatCount, (environment + 1) * seatCount);
  }

  private drawPlayer(environment: number, seat: number): void {
    const { state, stream } = this;
    const columns = this.players[seat]!;
    stream.seek(seat);
    const low = this.playerLevelMin[environment]!;
    const drawnLevel = low + stream.nextInteger(Math.max(1, this.playerLevelMax[environment]! - low + 1));
    const isGiven = columns.row[environment]! >= 0;
    state.level[environment * state.seatCount + seat] = isGiven ? columns.level[environment]! : drawnLevel;
    let candidate = 0;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      candidate = this.candidate(environment, columns, 0, attempt);
      if (!this.hasPlayer(environment, candidate)) break;
    }
    state.cell[environment * state.seatCount + seat] = candidate;
  }

  private drawFood(environment: number): void {
    const { state, stream } = this;
    let attempts = 0;
    for (let item = 0; item < state.foodCount; item += 1) {
      const columns = this.food[item]!;
      if (columns.row[environment] === ABSENT) continue;
      stream.seek(state.seatCount + item);
      const drawnLevel = this.drawFoodLevel(environment);
      const level = columns.row[environment]! >= 0 ? columns.level[environment]! : drawnLevel;
      for (let attempt = 0; attempts < ATTEMPTS_MAX; attempt += 1) {
        attempts += 1;
        const candidate = this.candidate(environment, columns, 1, attempt);
        if (!this.isFreeForFood(environment, candidate)) continue;
        this.putFood(environment, environment * state.foodCount + item, candidate, level);
        break;
      }
    }
  }

  private drawFoodLevel(environment: number): number {
    const most = this.foodLevelMax[environment]!;
    const high = most === LEVEL_OF_THREE ? this.levelOfThree(environment) : most;
    const low = this.forceCoop[environment] === 1 ? high : Math.min(this.foodLevelMin[environment]!, high);
    return low + this.stream.nextInteger(high - low + 1);
  }

  /** Sum of the levels of the three weakest players, of all of them when there are fewer. */
  private levelOfThree(environment: number): number {
    const { seatCount, level } = this.state;
    let sum = 0;
    let [first, second, third] = [Infinity, Infinity, Infinity];
    for (let player = environment * seatCount; player < (environment + 1) * seatCount; player += 1) {
      const one = level[player]!;
      third = Math.min(third, Math.max(second, one));
      second = Math.min(second, Math.max(first, one));
      first = Math.min(first, one);
      sum += one;
    }
    return seatCount <= 3 ? sum : first + second + third;
  }

  /**
   * A cell to try. The first attempts stay about a given start; when they fail, as they may where a randomization range
   * moved two things to one place, the cell is drawn like any other.
   * @param margin cells at the border that are left out
   */
  private candidate(environment: number, columns: PlaceColumns, margin: number, attempt: number): number {
    const { state, stream } = this;
    const row = columns.row[environment]!;
    const spread = this.spread[environment]!;
    const inner = state.size - 2 * margin;
    if (row < 0 || attempt > (spread === 0 ? 0 : ATTEMPTS_MAX / 10)) {
      const drawnRow = margin + stream.nextInteger(inner);
      return cellAt(state, drawnRow, margin + stream.nextInteger(inner));
    }
    const nearRow = row + stream.nextInteger(2 * spread + 1) - spread;
    const nearColumn = columns.column[environment]! + stream.nextInteger(2 * spread + 1) - spread;
    const last = state.size - 1 - margin;
    return cellAt(state, Math.min(Math.max(nearRow, margin), last), Math.min(Math.max(nearColumn, margin), last));
  }

  private hasPlayer(environment: number, at: number): boolean {
    const { seatCount, cell } = this.state;
    for (let player = environment * seatCount; player < (environment + 1) * seatCount; player += 1) {
      if (cell[player] === at) return true;
    }
    return false;
  }

  /** Whether a cell is empty, with no food in the eight about it nor two cells away in its row or column. */
  private isFreeForFood(environment: number, at: number): boolean {
    const { field, stride } = this.state;
    const cell = environment * stride * stride + at;
    if (this.hasPlayer(environment, at)) return false;
    for (let row = cell - stride; row <= cell + stride; row += stride) {
      if (field[row - 1]! > 0 || field[row]! > 0 || field[row + 1]! > 0) return false;
    }
    return (
      field[cell - 2 * stride]! <= 0 && field[cell + 2 * stride]! <= 0 && field[cell - 2]! <= 0 && field[cell + 2]! <= 0
    );
  }

  private putFood(environment: number, item: number, at: number, level: number): void {
    const { stride, field, foodCell, foodLevel, spawned } = this.state;
    foodCell[item] = at;
    foodLevel[item] = level;
    field[environment * stride * stride + at] = level;
    spawned[environment]! += level;
  }

  /** Sorts the food into reading order, in which players see it (by insertion: there are few items). */
  private orderFood(environment: number): void {
    const { foodCount, foodCell, foodLevel } = this.state;
    const first = environment * foodCount;
    for (let next = first + 1; next < first + foodCount; next += 1) {
      const cell = foodCell[next]!;
      const level = foodLevel[next]!;
      let hole = next;
      for (; hole > first && foodCell[hole - 1]! > cell; hole -= 1) {
        foodCell[hole] = foodCell[hole - 1]!;
        foodLevel[hole] = foodLevel[hole - 1]!;
      }
      foodCell[hole] = cell;
      foodLevel[hole] = level;
    }
  }
}
