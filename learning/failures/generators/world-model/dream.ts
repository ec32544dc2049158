import type { Parameter, SimulatorData } from '../../../../simulators/contract.ts';
import type { RandomStream } from '../../../../simulators/random.ts';
import type { Failure } from '../../contract.ts';
import { drawDirichlet } from '../edits/dirichlet.ts';
import { type HabitSeat, habitSeats, type PartnerHabit } from '../partner-habit.ts';
import { predictReturn } from './roll-out.ts';
import type { WorldModel } from './world-model.ts';

// Letters: T steps, N seats, A actions, S numbers of a state.

/** A change of a failure and what the model foretells of it. */
export interface Dream {
  /** Shape [S]: the start, at `Mined.statePaths`. */
  readonly start: readonly number[];
  /** Null where the partners stay as they were. */
  readonly habit: PartnerHabit | null;
  readonly predictedReturn: number;
}

/** Where failing episodes started: shape [S] each. */
export interface StartRanges {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/**
 * The least and the largest of each number among the starts of failures. A model is not asked about starts beyond what it saw,
 * so a number that is the same in all of them, such as a velocity at rest, stays; so do whole numbers: places of a grid
 * come with rules of their own about what may stand where.
 * @param starts shape [n S], n ≥ 1
 */
export function startRanges(
  starts: readonly (readonly number[])[],
  paths: readonly string[],
  parameters: readonly Parameter[],
): StartRanges {
  const real = new Set(parameters.filter(({ kind }) => kind === 'real').map(({ path }) => path));
  const column = (at: number) => starts.map((start) => start[at]!);
  return {
    low: paths.map((path, at) => (real.has(path) ? Math.min(...column(at)) : NaN)),
    high: paths.map((path, at) => (real.has(path) ? Math.max(...column(at)) : NaN)),
  };
}

export interface DreamOptions {
  /** Dreams of a failure. */
  readonly count: number;
  /** Rollouts of each dream, over which the actions that its habit draws are averaged. */
  readonly rollouts: number;
  readonly ranges: StartRanges;
  /** How far a number of the start is moved at most, as a share of its range. */
  readonly scale: number;
}

/**
 * Dreams of a failure, the lowest predicted return first. In a third of them the start is moved, in a third a partner
 * has another habit, in the others both, as far as there is something to move. Learners do what they did in the
 * failure, and so do partners, but for the steps in which their habit draws: nobody reacts to what is dreamt. A dream in
 * which the model loses itself, so that what it foretells is no finite number, is left out.
 */
export function dreamOf(
  model: WorldModel,
  failure: Pick<Failure, 'simulator' | 'states' | 'actions'>,
  { count, rollouts, ranges, scale }: DreamOptions,
  random: RandomStream,
): Dream[] {
  const seats = habitSeats(failure.simulator);
  const dreams = Array.from({ length: count }, () => {
    const kind = random.nextInteger(3);
    const start =
      kind === 0 && seats.length > 0 ? failure.states[0]! : moved(failure.states[0]!, ranges, scale, random);
    const habit = kind === 1 || seats.length === 0 ? null : drawHabit(seats[random.nextInteger(seats.length)]!, random);
    return {
      start,
      habit,
      predictedReturn: predictedMean(model, { start, actions: failure.actions, habit }, rollouts, random),
    };
  });
  return dreams
    .filter(({ predictedReturn }) => Number.isFinite(predictedReturn))
    .toSorted((one, other) => one.predictedReturn - other.predictedReturn);
}

/** R̂ of the dream: the mean over rollouts that differ in what the habit draws; without one they would not differ. */
function predictedMean(
  model: WorldModel,
  { start, actions, habit }: Pick<Dream, 'start' | 'habit'> & Pick<Failure, 'actions'>,
  rollouts: number,
  random: RandomStream,
): number {
  if (habit === null) return predictReturn(model, start, actions);
  let sum = 0;
  for (let rollout = 0; rollout < rollouts; rollout += 1) {
    sum += predictReturn(model, start, acted(model, actions, habit, random));
  }
  return sum / rollouts;
}

/** Each number uniform within `scale` of its range about where it was, within its range. */
function moved(start: readonly number[], { low, high }: StartRanges, scale: number, random: RandomStream): number[] {
  return start.map((value, at) => {
    const reach = scale * (high[at]! - low[at]!);
    const uniform = 2 * random.nextUniform() - 1;
    return reach > 0 ? Math.min(high[at]!, Math.max(low[at]!, value + reach * uniform)) : value;
  });
}

/** Any bias is as probable as any other (Dirichlet, α = 1); ε lies in the lower half of what the partner leaves free. */
function drawHabit({ seat, actionCount, epsilon }: HabitSeat, random: RandomStream): PartnerHabit {
  const bias = drawDirichlet(Array<number>(actionCount).fill(1), random);
  const share = random.nextUniform() / 2;
  return { seat, epsilon: epsilon === null ? 1 : epsilon + (1 - epsilon) * share, bias };
}

/**
 * The actions with those of the partner replaced by draws of its habit with probability ε.
 * @param actions shape [T N], or [T][N A] of boxes, in which a move that is drawn is made in full
 */
function acted(
  { actionCount }: Pick<WorldModel, 'actionCount'>,
  actions: readonly (readonly number[])[],
  { seat, epsilon, bias }: PartnerHabit,
  random: RandomStream,
): readonly (readonly number[])[] {
  return actions.map((joint) => {
    if (random.nextUniform() >= epsilon) return joint;
    let threshold = random.nextUniform();
    const drawn = bias.findIndex((share) => (threshold -= share) < 0);
    const move = Math.max(0, drawn);
    if (actionCount !== null) return joint.with(seat, move);
    const point = bias.map((_, action) => (action === move ? 1 : 0));
    return joint.toSpliced(seat * point.length, point.length, ...point);
  });
}

/** A, the same for all seats: one more than any action that was done or that a partner's bias can weigh. */
export function actionCountOf(
  failures: readonly { readonly simulator: SimulatorData; readonly actions: Failure['actions'] }[],
): number {
  const done = failures.flatMap(({ actions }) => actions.map((joint) => Math.max(...joint) + 1));
  const weighed = failures.flatMap(({ simulator }) => habitSeats(simulator).map(({ actionCount }) => actionCount));
  return Math.max(...done, ...weighed);
}
