import type { ParameterColumns } from '../parameter-columns.ts';
import { type PartnerColumns, partnerColumns } from '../partner-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import { choiceAt } from '../scripted-partner.ts';
import { type Duties, Errands, NO_ERRAND } from './errands.ts';
import { TERRAIN } from './floor-plan.ts';
import { isReady } from './interactions.ts';
import { ITEM } from './items.ts';
import { PARTNER_CHOICES, type ScriptedPolicy } from './parameters.ts';
import { ACTION, ACTION_COUNT, SEATS, type State, terrainAt } from './state.ts';
import { Stock } from './stock.ts';
import { type Manners, Ways } from './ways.ts';
import type { Worth } from './worth.ts';

/** What a partner may need a random number for in a step. */
const DRAW = { idle: 0, stray: 1, action: 2, manners: 3 } as const;
const DRAW_COUNT = 4;
/** After so many steps it is drawn anew which cook has the right of way. */
const RIGHT_OF_WAY_STEPS = 8;

const DUTIES: Readonly<Partial<Record<ScriptedPolicy, Duties>>> = {
  greedy: { fills: true, serves: true },
  onion_only: { fills: true, serves: false },
  plate_only: { fills: false, serves: true },
};

/**
 * The scripted partners. In every step each of them
 * 1. stays while fewer than `lateness` steps are over, and later with probability 1 − `speed`;
 * 2. with probability `epsilon` takes one of the six actions at random, in proportion to `action_bias`; `random` always;
 * 3. else does what its policy wants: `stay` nothing, the others the errand that `errands.ts` chooses among their duties,
 *    by the way that `ways.ts` finds. Every eight steps it is drawn which of the two cooks goes first where they meet, so
 *    that they do not block each other for ever.
 *
 * Chance is a function of the episode's key, the step and the seat, whoever else is there.
 */
export class Partners {
  private readonly state: State;
  private readonly worth: Worth;
  private readonly columns: readonly PartnerColumns[];
  private readonly stock: Stock;
  private readonly errands: Errands;
  private readonly ways: Ways;
  private readonly stream = new RandomStream({ high: 0, low: 0 });
  /** Filled and read within one decision. */
  private readonly manners = { hasRightOfWay: false, coin: 0 };
  /** Shape [B]: the key of the partners' chance. */
  private readonly keyHigh: Int32Array;
  private readonly keyLow: Int32Array;

  constructor(state: State, columns: ParameterColumns, worth: Worth) {
    this.state = state;
    this.worth = worth;
    this.columns = partnerColumns(columns, SEATS, ACTION_COUNT);
    this.stock = new Stock(state, worth);
    this.errands = new Errands(state, this.stock);
    this.ways = new Ways(state);
    this.keyHigh = new Int32Array(state.environmentCount);
    this.keyLow = new Int32Array(state.environmentCount);
  }

  /** Seats the partners of an environment for an episode. @param keyHigh, keyLow the episode's key */
  begin(environment: number, keyHigh: number, keyLow: number): void {
    this.keyHigh[environment] = keyHigh;
    this.keyLow[environment] = keyLow;
    this.columns.forEach(({ name }, seat) => {
      const isExternal = choiceAt(PARTNER_CHOICES, name[environment]!) === 'external';
      this.state.external[environment * SEATS + seat] = isExternal ? 1 : 0;
    });
    this.enter(environment);
  }

  /** Looks around in the layout of an environment. */
  enter(environment: number): void {
    this.stock.begin(environment);
  }

  /** What the scripted partner of a seat does now. */
  decide(environment: number, seat: number): number {
    const { name, epsilon, lateness, speed } = this.columns[seat]!;
    if (this.state.step[environment]! < lateness[environment]!) return ACTION.stay;
    const isIdle = speed[environment]! < 1 && this.draw(environment, seat, DRAW.idle) >= speed[environment]!;
    if (isIdle) return ACTION.stay;
    const policy = choiceAt(PARTNER_CHOICES, name[environment]!);
    const share = policy === 'random' ? 1 : epsilon[environment]!;
    const strays = share > 0 && this.draw(environment, seat, DRAW.stray) < share;
    if (strays) return this.randomAction(environment, seat);
    const duties = policy === 'external' ? undefined : DUTIES[policy];
    return duties === undefined ? ACTION.stay : this.goOn(environment, seat, duties);
  }

  private goOn(environment: number, seat: number, duties: Duties): number {
    const manners = this.mannersOf(environment, seat);
    const station = this.errands.choose(environment, seat, duties);
    if (station === NO_ERRAND) return this.ways.stepAside(environment, seat, manners);
    const action = this.ways.firstAction(environment, seat, station, manners);
    return action === ACTION.interact && this.hasToWait(environment, seat, station) ? ACTION.stay : action;
  }

  /** Whether a cook stands with a dish before a soup that is not ready. */
  private hasToWait(environment: number, seat: number, station: number): boolean {
    const { held, plan } = this.state;
    if (held[environment * SEATS + seat] !== ITEM.dish) return false;
    if (terrainAt(this.state, environment, station) !== TERRAIN.pot) return false;
    return !isReady(this.state, this.worth, environment, environment * plan.cellCount + station);
  }

  private mannersOf(environment: number, seat: number): Manners {
    this.stream.rekeyFolded(this.keyHigh[environment]!, this.keyLow[environment]!, PURPOSE.rightOfWay);
    this.stream.seek(Math.floor(this.state.step[environment]! / RIGHT_OF_WAY_STEPS));
    this.manners.hasRightOfWay = this.stream.nextInteger(SEATS) === seat;
    this.manners.coin = this.draw(environment, seat, DRAW.manners);
    return this.manners;
  }

  /** An action, in proportion to its weight; `stay` when all weights are 0. */
  private randomAction(environment: number, seat: number): number {
    const { actionBias } = this.columns[seat]!;
    let total = 0;
    for (const weights of actionBias) total += weights[environment]!;
    let left = this.draw(environment, seat, DRAW.action) * total;
    for (let action = 0; action < ACTION_COUNT; action += 1) {
      left -= actionBias[action]![environment]!;
      if (left < 0) return action;
    }
    return ACTION.stay;
  }

  /** Uniform in [0, 1). */
  private draw(environment: number, seat: number, kind: number): number {
    this.stream.rekeyFolded(this.keyHigh[environment]!, this.keyLow[environment]!, PURPOSE.partner);
    this.stream.seek((this.state.step[environment]! * SEATS + seat) * DRAW_COUNT + kind);
    return this.stream.nextUniform();
  }
}
