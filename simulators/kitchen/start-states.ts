import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import { TERRAIN, UNREACHED } from './floor-plan.ts';
import { INGREDIENTS_MAX, isSoup, ITEM, soupOf } from './items.ts';
import { START_OBJECTS_MAX } from './parameters.ts';
import type { Start } from './simulator-data.ts';
import { COLD, LIT, SEATS, type State, stepsBetween, terrainAt } from './state.ts';

interface PlaceColumns {
  readonly row: Float64Array;
  readonly column: Float64Array;
  /** Of a cook where it looks, of a thing what it is. */
  readonly third: Float64Array;
  /** Of a cook what it carries, of a thing how long it has been cooking. */
  readonly fourth: Float64Array;
}

/** What is drawn of a start; each has its own segment of the stream, so that simulators share the draws they have in common. */
const SEGMENT = { cell: 0, hands: SEATS, pots: 2 * SEATS } as const;
const ONION_SHARE = 0.6;
const DISH_SHARE = 0.2;

/**
 * The state an episode starts in: that of the drawing, with cooks who look north and carry nothing, or the given start.
 * A place of a given start that is none in the layout, as where a range moved it, gives way to that of the drawing, and
 * a thing that cannot lie where it should is left out. About that, as the scenario says, cooks stand elsewhere within
 * `start_spread` steps, and pots and hands are filled at random.
 *
 * @source overcooked-ai 1.1.0, OvercookedGridworld.get_standard_start_state, get_random_start_state_fn; there what is in
 *   a pot may hold tomatoes where the layout has none
 */
export class StartStates {
  private readonly state: State;
  private readonly layout: Float64Array;
  private readonly startLayout: Float64Array;
  private readonly cooks: readonly PlaceColumns[];
  private readonly objects: readonly PlaceColumns[];
  private readonly spread: Float64Array;
  private readonly potsFilled: Float64Array;
  private readonly handsFilled: Float64Array;
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  constructor(state: State, columns: ParameterColumns) {
    const places = (list: string, count: number) =>
      Array.from({ length: count }, (_, index): PlaceColumns => {
        const column = (part: number) => columns.column(`scenarios.start.${list}.${index}.${part}`);
        return { row: column(0), column: column(1), third: column(2), fourth: column(3) };
      });
    this.state = state;
    this.layout = columns.column('scenarios.layout');
    this.startLayout = columns.column('scenarios.start.layout');
    this.cooks = places('players', SEATS);
    this.objects = places('objects', START_OBJECTS_MAX);
    this.spread = columns.column('scenarios.start_spread');
    this.potsFilled = columns.column('scenarios.pots_filled');
    this.handsFilled = columns.column('scenarios.hands_filled');
  }

  /** @param keyHigh, keyLow the episode's key */
  draw(environment: number, keyHigh: number, keyLow: number): void {
    const hasStart = this.startLayout[environment]! >= 0;
    this.clear(environment, hasStart ? this.startLayout[environment]! : this.layout[environment]!);
    if (hasStart) this.putGiven(environment);
    this.stream.rekeyFolded(keyHigh, keyLow, PURPOSE.startState);
    if (this.spread[environment]! > 0) this.spreadCooks(environment);
    if (this.potsFilled[environment]! > 0) this.fillPots(environment);
    if (this.handsFilled[environment]! > 0) this.fillHands(environment);
  }

  /** Puts a given start in place of the one drawn. */
  place(environment: number, start: Start): void {
    const { state } = this;
    const { cell, facing, held, plan, step, soups } = state;
    this.clear(environment, start.layout);
    step[environment] = start.step;
    soups[environment] = start.soups;
    start.players.forEach(([row, column, looks, carried], seat) => {
      cell[environment * SEATS + seat] = row * plan.stride + column;
      facing[environment * SEATS + seat] = looks;
      held[environment * SEATS + seat] = carried;
    });
    for (const [row, column, item, cooking] of start.objects) {
      this.put(environment, row * plan.stride + column, item, cooking);
    }
  }

  /** The drawing itself: nobody carries anything, nothing lies about. */
  private clear(environment: number, layout: number): void {
    const { plan, step, soups, cell, facing, held, item, cooking } = this.state;
    const first = environment * plan.cellCount;
    step[environment] = 0;
    soups[environment] = 0;
    this.state.layout[environment] = layout;
    item.fill(ITEM.nothing, first, first + plan.cellCount);
    cooking.fill(COLD, first, first + plan.cellCount);
    for (let seat = 0; seat < SEATS; seat += 1) {
      cell[environment * SEATS + seat] = plan.startCells[layout * SEATS + seat]!;
      facing[environment * SEATS + seat] = 0;
      held[environment * SEATS + seat] = ITEM.nothing;
    }
  }

  private putGiven(environment: number): void {
    const { plan, cell, facing, held } = this.state;
    const placeOf = ({ row, column }: PlaceColumns) =>
      Math.max(0, row[environment]!) * plan.stride + column[environment]!;
    const [one, other] = [placeOf(this.cooks[0]!), placeOf(this.cooks[1]!)];
    const isFloor = (at: number) => terrainAt(this.state, environment, at) === TERRAIN.floor;
    const canStand = one !== other && isFloor(one) && isFloor(other);
    for (let seat = 0; seat < SEATS; seat += 1) {
      const cook = environment * SEATS + seat;
      if (canStand) cell[cook] = seat === 0 ? one : other;
      facing[cook] = this.cooks[seat]!.third[environment]!;
      held[cook] = this.cooks[seat]!.fourth[environment]!;
    }
    for (const lying of this.objects) {
      if (lying.row[environment]! < 0) continue;
      this.put(environment, placeOf(lying), lying.third[environment]!, lying.fourth[environment]!);
    }
  }

  private put(environment: number, cell: number, item: number, cooking: number): void {
    const terrain = terrainAt(this.state, environment, cell);
    const isPot = terrain === TERRAIN.pot && isSoup(item);
    if (!isPot && terrain !== TERRAIN.counter) return;
    const at = environment * this.state.plan.cellCount + cell;
    this.state.item[at] = item;
    this.state.cooking[at] = isPot && cooking > 0 ? LIT + cooking : COLD;
  }

  /** Each cook in turn gets a cell of floor, all that are near enough and free alike. */
  private spreadCooks(environment: number): void {
    const { cell, plan } = this.state;
    const spread = this.spread[environment]!;
    for (let seat = 0; seat < SEATS; seat += 1) {
      const cook = environment * SEATS + seat;
      const from = cell[cook]!;
      const other = cell[environment * SEATS + 1 - seat]!;
      const canStand = (to: number): boolean => {
        const steps = stepsBetween(this.state, environment, from, to);
        return steps !== UNREACHED && steps <= spread && to !== other && this.isFloor(environment, to);
      };
      this.stream.seek(SEGMENT.cell + seat);
      let count = 0;
      for (let to = 0; to < plan.cellCount; to += 1) {
        // The n-th that is found takes the place of those before with probability 1 / n.
        if (!canStand(to)) continue;
        count += 1;
        if (this.stream.nextInteger(count) === 0) cell[cook] = to;
      }
    }
  }

  private isFloor(environment: number, cell: number): boolean {
    return terrainAt(this.state, environment, cell) === TERRAIN.floor;
  }

  private fillPots(environment: number): void {
    const { plan, layout, item, cooking } = this.state;
    const probability = this.potsFilled[environment]!;
    for (const cell of plan.pots[layout[environment]!]!) {
      const at = environment * plan.cellCount + cell;
      this.stream.seek(SEGMENT.pots + cell);
      const isFilled = this.stream.nextUniform() < probability;
      const soup = this.drawSoup(environment);
      const isOn = this.stream.nextUniform() < probability;
      if (!isFilled || item[at] !== ITEM.nothing) continue;
      item[at] = soup;
      cooking[at] = isOn ? LIT + 1 : COLD;
    }
  }

  private fillHands(environment: number): void {
    const { held } = this.state;
    for (let seat = 0; seat < SEATS; seat += 1) {
      const cook = environment * SEATS + seat;
      this.stream.seek(SEGMENT.hands + seat);
      const isFilled = this.stream.nextUniform() < this.handsFilled[environment]!;
      const kind = this.stream.nextUniform();
      const soup = this.drawSoup(environment);
      if (!isFilled || held[cook] !== ITEM.nothing) continue;
      const hasOnions = this.has(environment, TERRAIN.onions);
      if (kind < ONION_SHARE) held[cook] = hasOnions ? ITEM.onion : ITEM.tomato;
      else held[cook] = kind < ONION_SHARE + DISH_SHARE ? ITEM.dish : soup;
    }
  }

  /** Of what the layout has: 1 … 3 onions, and as many tomatoes as there is room for, or fewer; or 1 … 3 tomatoes. */
  private drawSoup(environment: number): number {
    const some = 1 + this.stream.nextInteger(INGREDIENTS_MAX);
    const more = this.stream.nextInteger(INGREDIENTS_MAX + 1 - some);
    if (!this.has(environment, TERRAIN.onions)) return soupOf(0, some);
    return soupOf(some, this.has(environment, TERRAIN.tomatoes) ? more : 0);
  }

  private has(environment: number, terrain: number): boolean {
    const { plan, layout } = this.state;
    return plan.stations[layout[environment]!]!.some((cell) => terrainAt(this.state, environment, cell) === terrain);
  }
}
