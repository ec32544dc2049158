import type { ParameterColumns } from '../parameter-columns.ts';
import { type PartnerColumns, partnerColumns } from '../partner-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import { Detour } from './detour.ts';
import { FoodChoice } from './food-choice.ts';
import { choiceAt } from '../scripted-partner.ts';
import { PARTNER_CHOICES, type ScriptedPolicy } from './parameters.ts';
import type { Sight } from './sight.ts';
import { ACTION, ACTION_COUNT, areAdjacent, isLegal, type State } from './state.ts';

/** What `preferredAction` says when a policy does not know what to do; the partner then acts at random. */
const AT_RANDOM = -1;

/** What a partner may need a random number for in a step. */
const DRAW = { idle: 0, stray: 1, action: 2, way: 3 } as const;
const DRAW_COUNT = 4;

/**
 * The scripted partners. In every step each of them
 * 1. idles while fewer than `lateness` steps are over, and later with probability 1 − `speed`;
 * 2. with probability `epsilon` acts at random (`random` always does);
 * 3. else goes to the food its policy chooses (see `food-choice.ts`) and loads it: first along the column, then along the
 *    row. Where no food is seen, or no such move is legal, it acts at random. `noop` stays. Only `cooperative_food` goes
 *    around what is in its way, and tosses a coin before it enters a cell that another player may enter too.
 *
 * At random means one of the legal actions, in proportion to `action_bias`.
 *
 * Chance is a function of the episode's key, the step and the seat, whoever else is there.
 *
 * @source lbforaging 2.0.0, agents/heuristic_agent.py, agents/random_agent.py
 */
export class Partners {
  private readonly state: State;
  private readonly columns: readonly PartnerColumns[];
  private readonly foodChoice: FoodChoice;
  private readonly detour: Detour;
  private readonly stream = new RandomStream({ high: 0, low: 0 });
  /** Shape [B]: the key of the partners' chance. */
  private readonly keyHigh: Int32Array;
  private readonly keyLow: Int32Array;

  constructor(state: State, columns: ParameterColumns, sight: Sight) {
    this.state = state;
    this.columns = partnerColumns(columns, state.seatCount, ACTION_COUNT);
    this.foodChoice = new FoodChoice(state, sight);
    this.detour = new Detour(state);
    this.keyHigh = new Int32Array(state.environmentCount);
    this.keyLow = new Int32Array(state.environmentCount);
  }

  /** Seats the partners of an environment for an episode. @param keyHigh, keyLow the episode's key */
  begin(environment: number, keyHigh: number, keyLow: number): void {
    const { seatCount, external } = this.state;
    this.keyHigh[environment] = keyHigh;
    this.keyLow[environment] = keyLow;
    for (let seat = 0; seat < seatCount; seat += 1) {
      const policy = choiceAt(PARTNER_CHOICES, this.columns[seat]!.name[environment]!);
      external[environment * seatCount + seat] = policy === 'external' ? 1 : 0;
    }
  }

  /** What the scripted partner of a seat does now. */
  decide(environment: number, seat: number): number {
    const { name, epsilon, lateness, speed } = this.columns[seat]!;
    if (this.state.step[environment]! < lateness[environment]!) return ACTION.none;
    const idles = speed[environment]! < 1 && this.draw(environment, seat, DRAW.idle) >= speed[environment]!;
    if (idles) return ACTION.none;
    const strays = epsilon[environment]! > 0 && this.draw(environment, seat, DRAW.stray) < epsilon[environment]!;
    if (strays) return this.randomAction(environment, seat);
    const action = this.preferredAction(environment, seat, choiceAt(PARTNER_CHOICES, name[environment]!));
    return action === AT_RANDOM ? this.randomAction(environment, seat) : action;
  }

  /** What a policy does now on a seat, −1 when it acts at random. */
  preferredAction(environment: number, seat: number, policy: ScriptedPolicy | 'external'): number {
    if (policy === 'noop') return ACTION.none;
    const item = this.foodChoice.choose(environment, seat, policy);
    if (item < 0) return AT_RANDOM;
    const { seatCount, cell, foodCell, rowOf, columnOf } = this.state;
    const from = cell[environment * seatCount + seat]!;
    const to = foodCell[item]!;
    if (areAdjacent(this.state, from, to)) return ACTION.load;
    if (policy === 'cooperative_food') return this.wayAround(environment, seat, to);
    return this.straightWay(environment, seat, rowOf[to]! - rowOf[from]!, columnOf[to]! - columnOf[from]!);
  }

  private straightWay(environment: number, seat: number, down: number, across: number): number {
    if (down < 0 && isLegal(this.state, environment, seat, ACTION.north)) return ACTION.north;
    if (down > 0 && isLegal(this.state, environment, seat, ACTION.south)) return ACTION.south;
    if (across > 0 && isLegal(this.state, environment, seat, ACTION.east)) return ACTION.east;
    if (across < 0 && isLegal(this.state, environment, seat, ACTION.west)) return ACTION.west;
    return AT_RANDOM;
  }

  /** Two who want the same cell would stand before it for ever; a coin lets one of them go first. */
  private wayAround(environment: number, seat: number, food: number): number {
    const { seatCount, cell, offsetOf } = this.state;
    const move = this.detour.firstMove(environment, seat, food);
    if (move < 0) return AT_RANDOM;
    const goal = cell[environment * seatCount + seat]! + offsetOf[move]!;
    const isContested = this.detour.isContested(environment, seat, goal);
    return isContested && this.draw(environment, seat, DRAW.way) < 0.5 ? ACTION.none : move;
  }

  /** A legal action, in proportion to its weight; `none` when all weights are 0. */
  private randomAction(environment: number, seat: number): number {
    let sum = 0;
    for (let action = 0; action < ACTION_COUNT; action += 1) sum += this.weightOf(environment, seat, action);
    let threshold = this.draw(environment, seat, DRAW.action) * sum;
    for (let action = 0; action < ACTION_COUNT; action += 1) {
      threshold -= this.weightOf(environment, seat, action);
      if (threshold < 0) return action;
    }
    return ACTION.none;
  }

  private weightOf(environment: number, seat: number, action: number): number {
    if (!isLegal(this.state, environment, seat, action)) return 0;
    return this.columns[seat]!.actionBias[action]![environment]!;
  }

  /** Uniform in [0, 1). */
  private draw(environment: number, seat: number, kind: number): number {
    const { step, seatCount } = this.state;
    this.stream.rekeyFolded(this.keyHigh[environment]!, this.keyLow[environment]!, PURPOSE.partner);
    this.stream.seek((step[environment]! * seatCount + seat) * DRAW_COUNT + kind);
    return this.stream.nextUniform();
  }
}
