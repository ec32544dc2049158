import type { Batch, World } from '../../simulators/contract.ts';
import { RandomStream } from '../../simulators/random.ts';
import { logProbability, sampleAction } from './action-choice.ts';
import type { ActingSeats } from './acting-seats.ts';
import type { Actor, Learner } from '../algorithms/contract.ts';
import { DrivenSeats } from './driven-seats.ts';
import type { RunningEpisodes } from './partner-policies.ts';
import { createRollout, type Rollout, STEP_CONTINUES } from './rollout-buffer.ts';

// Letters: B environments, N seats, D driven seats of the group, R = B·D rows.

export interface ActingOptions {
  readonly world: World;
  readonly environmentCount: number;
  readonly stepCount: number;
}

/** The seats of one group that one member acts for, and the experience that is recorded there. */
export class ActingGroup {
  readonly rollout: Rollout;
  /** Shape [D], ascending. */
  readonly seats: readonly number[];
  private readonly observer: DrivenSeats;
  private readonly actor: Actor;
  private readonly acting: ActingSeats;
  private readonly seatCount: number;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(
    observer: DrivenSeats,
    actor: Actor,
    acting: ActingSeats,
    { world, environmentCount, stepCount }: ActingOptions,
  ) {
    this.observer = observer;
    this.actor = actor;
    this.acting = acting;
    this.seats = observer.seats;
    this.seatCount = world.seatCount;
    this.rollout = createRollout(observer.group, stepCount, environmentCount * this.seats.length, observer.inputSize);
  }

  /** One for every group of seats that the learner acts for. */
  static createAll(learner: Learner, acting: ActingSeats, options: ActingOptions): Promise<ActingGroup[]> {
    const { world, environmentCount } = options;
    return Promise.all(
      learner.policies
        .filter((policy) => acting.driven[policy.group]!.length > 0)
        .map(async (policy) => {
          const observer = new DrivenSeats(world, policy, acting.driven[policy.group]!, environmentCount);
          const rowCount = environmentCount * observer.seats.length;
          const actor = await learner.createActor(policy.group, rowCount, { values: true });
          return new ActingGroup(observer, actor, acting, options);
        }),
    );
  }

  observe(batch: Batch): void {
    this.observer.observe(batch, this.actor.inputs);
  }

  forward(): Promise<void> {
    return this.actor.forward();
  }

  /** Samples actions from the last forward pass and records them. @param actions shape [B N], written where they count */
  act(step: number, { simulators, actionKeys, lengths }: RunningEpisodes, actions: Int32Array): void {
    const { rollout, actor, seatCount, random } = this;
    const { actionCount } = this.observer;
    const offset = step * rollout.rowCount;
    rollout.inputs.set(actor.inputs, offset * rollout.inputSize);
    rollout.values.set(actor.values!, offset);
    let row = 0;
    for (let environment = 0; environment < simulators.length; environment += 1) {
      const key = actionKeys[environment]!;
      const episodeStep = lengths[environment]!;
      const held = this.acting.held?.[simulators[environment]!];
      random.rekey(key.high, key.low);
      for (const seat of this.seats) {
        random.seek(episodeStep * seatCount + seat);
        const action = sampleAction(actor.logits, row, actionCount, random.nextUniform());
        rollout.actions[offset + row] = action;
        rollout.logProbabilities[offset + row] = logProbability(actor.logits, row, actionCount, action);
        if (held === undefined || held.includes(seat)) actions[environment * seatCount + seat] = action;
        row += 1;
      }
    }
  }

  /** Records how a step went. @param rewards shape [B N] @param ends shape [B] @param simulators shape [B] */
  record(step: number, rewards: Float64Array, ends: Uint8Array, simulators: Int32Array): void {
    const { rollout, seatCount } = this;
    let index = step * rollout.rowCount;
    for (let environment = 0; environment < simulators.length; environment += 1) {
      const learning = this.acting.learning[simulators[environment]!]!;
      for (const seat of this.seats) {
        rollout.rewards[index] = rewards[environment * seatCount + seat]!;
        rollout.ends[index] = ends[environment]!;
        rollout.learning[index] = learning.includes(seat) ? 1 : 0;
        index += 1;
      }
    }
  }

  /** Takes the last forward pass as that of the states after a step. */
  recordNextValues(step: number): void {
    this.rollout.nextValues.set(this.actor.values!, step * this.rollout.rowCount);
  }

  /** Where an episode went on, the value of the next step is already in the rollout. */
  linkValues(): void {
    const { rowCount, ends, nextValues, values } = this.rollout;
    for (let index = 0; index < ends.length - rowCount; index += 1) {
      if (ends[index] === STEP_CONTINUES) nextValues[index] = values[index + rowCount]!;
    }
  }
}
