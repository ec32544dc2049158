import { jointActions } from '../../../simulators/actions.ts';
import type { ActionArray, Batch, World } from '../../../simulators/contract.ts';
import type { EpisodeOutcome } from '../../rollout/episode-tally.ts';
import { meanOfSeats } from '../../rollout/episode-return.ts';

// Letters: B environments, T steps of an episode, N seats, F state features, W numbers of an action.

/** An episode with all that happened in it. */
export interface TracedEpisode extends EpisodeOutcome {
  /** Shape [T][N W]: what scripted seats did, and what was given for the others. */
  readonly actions: readonly (readonly number[])[];
  /** Shape [T]: mean over the learners present. */
  readonly rewards: readonly number[];
  /** Shape [T+1]: the critic's value, mean over the learners present; 0 after a termination. Empty where there is no critic. */
  readonly values: readonly number[];
  /** Shape [T+1][N F]. */
  readonly features: readonly (readonly number[])[];
  /** Shape [T+1], as `Batch.state` tells them. */
  readonly states: readonly Readonly<Record<string, unknown>>[];
}

interface RunningTrace {
  readonly actions: number[][];
  readonly rewards: number[];
  readonly values: number[];
  readonly features: number[][];
  readonly states: Readonly<Record<string, unknown>>[];
  readonly learners: readonly number[];
}

/** Takes down the running episode of one environment of a batch. */
export class EpisodeRecorder {
  private readonly batch: Batch;
  private readonly environment: number;
  private readonly seatCount: number;
  private readonly featureCount: number;
  private trace: RunningTrace;

  constructor(world: World, batch: Batch, environment: number) {
    const { seatCount, features } = world;
    this.batch = batch;
    this.environment = environment;
    this.seatCount = seatCount;
    this.featureCount = seatCount * features.length;
    this.trace = startTrace([]);
  }

  /** Begins another episode. @param learners seats of the learners that are present in it */
  start(learners: readonly number[]): void {
    this.trace = startTrace(learners);
  }

  /** Seats of the learners that are present. */
  get learners(): readonly number[] {
    return this.trace.learners;
  }

  /** Takes down a state. @param features shape [B N F]: of every environment */
  addState(features: Float64Array): void {
    const { environment, featureCount, trace } = this;
    trace.features.push(Array.from(features.subarray(environment * featureCount, (environment + 1) * featureCount)));
    trace.states.push(this.batch.state(environment));
  }

  /** Takes down what the critic thinks of the state that was taken down last. */
  addValue(value: number): void {
    this.trace.values.push(value);
  }

  /** Takes down a step. @param given shape [B N W]: the actions that it was made with */
  addStep(given: ActionArray): void {
    const { batch, environment, seatCount, trace } = this;
    trace.actions.push(jointActions(batch, environment, given));
    trace.rewards.push(meanOfSeats(batch.rewards, environment * seatCount, trace.learners));
  }

  /** The episode that is over. */
  finished(outcome: EpisodeOutcome, hasTerminated: boolean): TracedEpisode {
    const { actions, rewards, values, features, states } = this.trace;
    // Nothing follows a termination, whatever the critic would say of a state it has never learnt about.
    const known = hasTerminated && values.length > 0 ? [...values.slice(0, rewards.length), 0] : values;
    return { ...outcome, actions, rewards, values: known, features, states };
  }
}

const startTrace = (learners: readonly number[]): RunningTrace => ({
  actions: [],
  rewards: [],
  values: [],
  features: [],
  states: [],
  learners,
});
