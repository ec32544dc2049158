import type { Chance } from '../chance.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { ACTION, areAdjacent, EMPTY, type State } from './state.ts';

/**
 * Loads of one step, after the moves. The players who load beside an item of food lift it when the sum of their levels
 * reaches its level; then it is gone, and each of them is paid
 *
 *     level · food / (sum of the loaders' levels · sum of all food at the start)        normalized
 *     level · food                                                                     not normalized
 *
 * Otherwise each of them pays `penalty`. With `shared`, that part of everybody's reward is the mean of all.
 *
 * Food never lies so close together that a player is beside two items, so the order of the items does not matter. The
 * package takes the players in an order without meaning, which does not matter for the same reason.
 *
 * @source lbforaging 2.0.0, ForagingEnv.step
 */
export class Loading {
  private readonly state: State;
  private readonly chance: Chance;
  private readonly success: Float64Array;
  private readonly penalty: Float64Array;
  private readonly normalized: Float64Array;
  private readonly shared: Float64Array;

  constructor(state: State, columns: ParameterColumns, chance: Chance) {
    this.state = state;
    this.chance = chance;
    this.success = columns.column('rules.load_success');
    this.penalty = columns.column('rewards.penalty');
    this.normalized = columns.column('rewards.normalized');
    this.shared = columns.column('rewards.shared');
  }

  /** @param rewards shape [B N], filled */
  load(rewards: Float64Array): void {
    rewards.fill(0);
    for (let environment = 0; environment < this.state.environmentCount; environment += 1) {
      if (!this.somebodyLoads(environment)) continue;
      for (let item = 0; item < this.state.foodCount; item += 1) this.lift(environment, item, rewards);
      if (this.shared[environment]! > 0) this.share(environment, rewards);
    }
  }

  /** Whether no food is left. */
  isDone(environment: number): boolean {
    const { foodCount, foodLevel } = this.state;
    for (let item = environment * foodCount; item < (environment + 1) * foodCount; item += 1) {
      if (foodLevel[item]! > 0) return false;
    }
    return true;
  }

  private somebodyLoads(environment: number): boolean {
    const { seatCount, action } = this.state;
    for (let player = environment * seatCount; player < (environment + 1) * seatCount; player += 1) {
      if (action[player] === ACTION.load) return true;
    }
    return false;
  }

  private lift(environment: number, item: number, rewards: Float64Array): void {
    const { foodCount, foodLevel, foodCell, field, stride } = this.state;
    const at = environment * foodCount + item;
    const food = foodLevel[at]!;
    if (food === 0) return;
    const strength = this.strengthAt(environment, foodCell[at]!);
    if (strength === 0) return;
    if (strength < food) {
      this.pay(environment, foodCell[at]!, -this.penalty[environment]!, 0, 1, rewards);
      return;
    }
    const success = this.success[environment]!;
    if (success < 1 && this.chance.ofDeed(environment, foodCell[at]!) >= success) return;
    const worth = this.normalized[environment] === 1 ? strength * this.state.spawned[environment]! : 1;
    this.pay(environment, foodCell[at]!, 0, food, worth, rewards);
    foodLevel[at] = 0;
    field[environment * stride * stride + foodCell[at]!] = EMPTY;
  }

  /** Sum of the levels of those who load beside a cell. */
  private strengthAt(environment: number, cell: number): number {
    const { seatCount, level } = this.state;
    let strength = 0;
    for (let player = environment * seatCount; player < (environment + 1) * seatCount; player += 1) {
      if (this.loadsAt(player, cell)) strength += level[player]!;
    }
    return strength;
  }

  /** Gives `fixed` + level · `factor` / `divisor` to each of those who load beside a cell. */
  private pay(
    environment: number,
    cell: number,
    fixed: number,
    factor: number,
    divisor: number,
    rewards: Float64Array,
  ): void {
    const { seatCount, level } = this.state;
    for (let player = environment * seatCount; player < (environment + 1) * seatCount; player += 1) {
      if (this.loadsAt(player, cell)) rewards[player] = fixed + (level[player]! * factor) / divisor;
    }
  }

  private loadsAt(player: number, cell: number): boolean {
    return this.state.action[player] === ACTION.load && areAdjacent(this.state, this.state.cell[player]!, cell);
  }

  private share(environment: number, rewards: Float64Array): void {
    const { seatCount } = this.state;
    const shared = this.shared[environment]!;
    const first = environment * seatCount;
    let sum = 0;
    for (let player = first; player < first + seatCount; player += 1) sum += rewards[player]!;
    for (let player = first; player < first + seatCount; player += 1) {
      rewards[player] = (1 - shared) * rewards[player]! + (shared * sum) / seatCount;
    }
  }
}
