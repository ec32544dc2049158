import type { ObservationPart } from '../contract.ts';
import type { Chance } from '../chance.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import type { Options } from './options.ts';
import type { Sight } from './sight.ts';
import type { State } from './state.ts';

/** Row, column and level. */
const ITEM_SIZE = 3;
/** What stands for the row and the column of something that is not seen; its level is 0. */
const UNSEEN = -1;

type Numbers = Float32Array | Float64Array;

/** The observation of every seat, part by part; see the card in `family.ts`. */
export function observationParts({ players, food }: Options): readonly ObservationPart[] {
  const names = [
    ...Array.from({ length: food }, (_, item) => `food_${item}`),
    'self',
    ...Array.from({ length: players - 1 }, (_, other) => `other_${other}`),
  ];
  return names.flatMap((name, index) => {
    const whose = name.startsWith('other_') ? ({ ofOthers: true } as const) : {};
    return [
      { name: `${name}_cell`, ...whose, offset: ITEM_SIZE * index, length: 2, unit: 'cells' },
      { name: `${name}_level`, ...whose, offset: ITEM_SIZE * index + 2, length: 1, unit: 'level' },
    ];
  });
}

/** What the players see: the vector observation of the package. */
export class Observer {
  private readonly state: State;
  private readonly sight: Sight;
  private readonly chance: Chance;
  private readonly dropped: Float64Array;
  private readonly size: number;

  constructor(state: State, columns: ParameterColumns, sight: Sight, chance: Chance) {
    this.state = state;
    this.sight = sight;
    this.chance = chance;
    this.dropped = columns.column('perturbations.dropped_observations');
    this.size = ITEM_SIZE * (state.foodCount + state.seatCount);
  }

  /** @param out shape [B N O] @source lbforaging 2.0.0, ForagingEnv._make_gym_obs */
  observe(out: Numbers): void {
    const { environmentCount, seatCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const dropped = this.dropped[environment]!;
      for (let seat = 0; seat < seatCount; seat += 1) {
        const at = (environment * seatCount + seat) * this.size;
        const isDropped = dropped > 0 && this.chance.ofDropping(environment, seat) < dropped;
        if (isDropped) hide(out, at, at + this.size);
        else this.sense(environment, seat, out, at);
      }
    }
  }

  private sense(environment: number, seat: number, out: Numbers, at: number): void {
    const { seatCount, foodCount, foodCell, foodLevel, cell, level } = this.state;
    const { sight } = this;
    sight.lookFrom(environment, seat);
    let next = at;
    for (let item = environment * foodCount; item < (environment + 1) * foodCount; item += 1) {
      if (foodLevel[item] === 0 || !sight.seesFood(foodCell[item]!)) continue;
      next = this.write(out, next, foodCell[item]!, foodLevel[item]!);
    }
    const players = at + ITEM_SIZE * foodCount;
    hide(out, next, players);
    const self = environment * seatCount + seat;
    next = this.write(out, players, cell[self]!, level[self]!);
    for (let other = environment * seatCount; other < (environment + 1) * seatCount; other += 1) {
      if (other === self || !sight.seesPlayer(cell[other]!)) continue;
      next = this.write(out, next, cell[other]!, level[other]!);
    }
    hide(out, next, at + this.size);
  }

  /** @returns where the next item goes */
  private write(out: Numbers, at: number, cell: number, level: number): number {
    out[at] = this.state.rowOf[cell]! - this.sight.top;
    out[at + 1] = this.state.columnOf[cell]! - this.sight.left;
    out[at + 2] = level;
    return at + ITEM_SIZE;
  }
}

function hide(out: Numbers, from: number, end: number): void {
  for (let at = from; at < end; at += ITEM_SIZE) {
    out[at] = UNSEEN;
    out[at + 1] = UNSEEN;
    out[at + 2] = 0;
  }
}
