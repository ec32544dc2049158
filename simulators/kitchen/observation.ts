import type { ObservationPart } from '../contract.ts';
import type { Chance } from '../chance.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { TERRAIN } from './floor-plan.ts';
import { isReady } from './interactions.ts';
import { FIRST_SOUP, INGREDIENTS_MAX, isSoup, ITEM, ONIONS_IN, TOMATOES_IN } from './items.ts';
import { COLD, FACING_COUNT, LIT, SEATS, type State } from './state.ts';
import type { Worth } from './worth.ts';

type Numbers = Float32Array | Float64Array;

/** What a cook looks for, in the order of the observation. Soups are those on counters. */
const SOUGHT = ['onion', 'tomato', 'dish', 'soup', 'serving', 'empty_counter'] as const;
const SEEN = { onion: 0, tomato: 1, dish: 2, soup: 3, serving: 4, emptyCounter: 5, pot: 6 } as const;
/** By terrain. */
const SEEN_AT = Int8Array.of(-1, SEEN.emptyCounter, SEEN.onion, SEEN.tomato, SEEN.dish, SEEN.pot, SEEN.serving, -1);
const IN_FRONT_COUNT = 7;
const HELD_COUNT = 4;
const POTS_SEEN = 2;

/** Parts of what is told of a cook: name, length, unit. */
const COOK_PARTS: readonly (readonly [string, number, string])[] = [
  ['faces', FACING_COUNT, '1'],
  ['holds', HELD_COUNT, '1'],
  ['blocked', FACING_COUNT, '1'],
  ['in_front', IN_FRONT_COUNT, '1'],
  ...SOUGHT.map((name) => [`to_${name}`, 2, 'cells'] as const),
  ...Array.from({ length: POTS_SEEN }, (_, pot) => [
    [`pot_${pot}_is`, 5, '1'] as const,
    [`pot_${pot}_holds`, 2, 'ingredients'] as const,
    [`pot_${pot}_time_left`, 1, '1'] as const,
    [`to_pot_${pot}`, 2, 'cells'] as const,
  ]).flat(),
];
const POT_SIZE = 10;
const COOK_SIZE = COOK_PARTS.reduce((sum, [, length]) => sum + length, 0);
const AT = {
  holds: FACING_COUNT,
  blocked: FACING_COUNT + HELD_COUNT,
  inFront: 2 * FACING_COUNT + HELD_COUNT,
  sought: 2 * FACING_COUNT + HELD_COUNT + IN_FRONT_COUNT,
  pots: 2 * FACING_COUNT + HELD_COUNT + IN_FRONT_COUNT + 2 * SOUGHT.length,
} as const;

/** The observation of every seat, part by part; see the card in `family.ts`. */
export function observationParts(): readonly ObservationPart[] {
  const parts = [
    ...COOK_PARTS.map(([name, length, unit]) => ({ name: `self_${name}`, length, unit })),
    ...COOK_PARTS.map(([name, length, unit]) => ({ name: `other_${name}`, length, unit, ofOthers: true as const })),
    { name: 'to_other', length: 2, unit: 'cells', ofOthers: true as const },
    { name: 'self_cell', length: 2, unit: 'cells' },
  ];
  let offset = 0;
  return parts.map((part) => {
    const placed = { ...part, offset };
    offset += part.length;
    return placed;
  });
}

/** What the cooks see. */
export class Observer {
  private readonly state: State;
  private readonly worth: Worth;
  private readonly chance: Chance;
  private readonly dropped: Float64Array;
  private readonly size = 2 * COOK_SIZE + 4;
  /** Shape [2 COOK_SIZE]: what is told of each cook of the environment at hand. */
  private readonly told = new Float64Array(SEATS * COOK_SIZE);
  /** Which of what is sought is found. */
  private readonly isFound = new Uint8Array(SOUGHT.length);

  constructor(state: State, columns: ParameterColumns, worth: Worth, chance: Chance) {
    this.state = state;
    this.worth = worth;
    this.chance = chance;
    this.dropped = columns.column('perturbations.dropped_observations');
  }

  /** @param out shape [B 2 O] */
  observe(out: Numbers): void {
    const { environmentCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      this.told.fill(0);
      for (let seat = 0; seat < SEATS; seat += 1) this.tell(environment, seat);
      for (let seat = 0; seat < SEATS; seat += 1) this.write(environment, seat, out);
    }
  }

  private write(environment: number, seat: number, out: Numbers): void {
    const { cell, plan } = this.state;
    const at = (environment * SEATS + seat) * this.size;
    const dropped = this.dropped[environment]!;
    if (dropped > 0 && this.chance.ofDropping(environment, seat) < dropped) {
      out.fill(0, at, at + this.size);
      return;
    }
    const own = seat * COOK_SIZE;
    const other = (1 - seat) * COOK_SIZE;
    for (let index = 0; index < COOK_SIZE; index += 1) {
      out[at + index] = this.told[own + index]!;
      out[at + COOK_SIZE + index] = this.told[other + index]!;
    }
    const here = cell[environment * SEATS + seat]!;
    const there = cell[environment * SEATS + 1 - seat]!;
    const end = at + 2 * COOK_SIZE;
    out[end] = plan.rowOf[there]! - plan.rowOf[here]!;
    out[end + 1] = plan.columnOf[there]! - plan.columnOf[here]!;
    out[end + 2] = plan.rowOf[here]!;
    out[end + 3] = plan.columnOf[here]!;
  }

  private tell(environment: number, seat: number): void {
    const { cell, facing, held, offsetOf, plan, layout } = this.state;
    const cook = environment * SEATS + seat;
    const here = cell[cook]!;
    const at = seat * COOK_SIZE;
    const ground = layout[environment]! * plan.cellCount;
    const carried = held[cook]!;
    this.told[at + facing[cook]!] = 1;
    if (carried !== ITEM.nothing) this.told[at + AT.holds + Math.min(carried, FIRST_SOUP) - 1] = 1;
    for (let side = 0; side < FACING_COUNT; side += 1) {
      if (plan.terrain[ground + here + offsetOf[side]!] !== TERRAIN.floor) this.told[at + AT.blocked + side] = 1;
    }
    const front = this.seenAt(ground, environment * plan.cellCount, here + offsetOf[facing[cook]!]!);
    if (front >= 0) this.told[at + AT.inFront + front] = 1;
    this.tellSought(environment, here, at + AT.sought);
    // The way to what is carried is 0, 0, as in the package.
    if (carried !== ITEM.nothing) {
      const kind = at + AT.sought + 2 * (Math.min(carried, FIRST_SOUP) - 1);
      this.told[kind] = 0;
      this.told[kind + 1] = 0;
    }
    this.tellPots(environment, here, at + AT.pots);
  }

  /** What a cell has to offer; −1 where it is floor. @param ground, things where the layout and the kitchen begin */
  private seenAt(ground: number, things: number, cell: number): number {
    const { plan, item } = this.state;
    const kind = SEEN_AT[plan.terrain[ground + cell]!]!;
    if (kind !== SEEN.emptyCounter) return kind;
    const lying = item[things + cell]!;
    if (lying === ITEM.nothing) return kind;
    return isSoup(lying) ? SEEN.soup : lying - 1;
  }

  private tellSought(environment: number, here: number, at: number): void {
    const { plan, layout } = this.state;
    const ground = layout[environment]! * plan.cellCount;
    const things = environment * plan.cellCount;
    const stations = plan.nearbyStations[ground + here]!;
    let missing = SOUGHT.length;
    this.isFound.fill(0);
    for (let index = 0; index < stations.length && missing > 0; index += 1) {
      const cell = stations[index]!;
      const kind = this.seenAt(ground, things, cell);
      if (kind === SEEN.pot || this.isFound[kind] === 1) continue;
      this.isFound[kind] = 1;
      missing -= 1;
      this.tellWay(here, cell, at + 2 * kind);
    }
  }

  private tellWay(here: number, cell: number, at: number): void {
    const { rowOf, columnOf } = this.state.plan;
    this.told[at] = rowOf[cell]! - rowOf[here]!;
    this.told[at + 1] = columnOf[cell]! - columnOf[here]!;
  }

  /** The two nearest pots that can be reached. */
  private tellPots(environment: number, here: number, at: number): void {
    const { plan, layout } = this.state;
    const pots = plan.nearbyPots[layout[environment]! * plan.cellCount + here]!;
    const count = Math.min(POTS_SEEN, pots.length);
    for (let place = 0; place < count; place += 1) this.tellPot(environment, here, pots[place]!, at + place * POT_SIZE);
  }

  private tellPot(environment: number, here: number, cell: number, at: number): void {
    const { plan, item, cooking } = this.state;
    const index = environment * plan.cellCount + cell;
    const soup = item[index]!;
    const isOn = cooking[index] !== COLD;
    const isDone = isReady(this.state, this.worth, environment, index);
    const { told } = this;
    told[at] = 1;
    told[at + 1] = soup === ITEM.nothing ? 1 : 0;
    told[at + 2] = isOn || ONIONS_IN[soup]! + TOMATOES_IN[soup]! === INGREDIENTS_MAX ? 1 : 0;
    told[at + 3] = isOn && !isDone ? 1 : 0;
    told[at + 4] = isDone ? 1 : 0;
    told[at + 5] = ONIONS_IN[soup]!;
    told[at + 6] = TOMATOES_IN[soup]!;
    told[at + 7] = isOn && !isDone ? 1 - Math.max(0, cooking[index]! - LIT) / this.worth.timeOf(environment, soup) : 0;
    this.tellWay(here, cell, at + 8);
  }
}
