import type { Batch, World } from '../../simulators/contract.ts';
import { RandomStream } from '../../simulators/random.ts';
import { logProbability, sampleAction } from './action-choice.ts';
import type { ActingSeats } from './acting-seats.ts';
import type { Actor } from '../algorithms/contract.ts';
import type { ActingMember } from './cast.ts';
import { DrivenSeats } from './driven-seats.ts';
import type { EnvironmentRange } from './environment-range.ts';
import type { RunningEpisodes } from './partner-policies.ts';
import { createRangeActor } from './range-actor.ts';
import type { Rollout } from './rollout-buffer.ts';

// Letters: B environments of the range, N seats, D driven seats of the group.

export interface ActingOptions {
  readonly world: World;
  /** The environments that are played here. */
  readonly range: EnvironmentRange;
}

/** The seats of one group that one member acts for in a range of environments, and where its experience is recorded. */
export class ActingGroup {
  private readonly rollout: Rollout;
  /** Rows of the rollout before those of the range. */
  private readonly firstRow: number;
  /** Shape [D], ascending. */
  private readonly seats: readonly number[];
  private readonly observer: DrivenSeats;
  private readonly actor: Actor;
  private readonly acting: ActingSeats;
  private readonly seatCount: number;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(
    rollout: Rollout,
    observer: DrivenSeats,
    actor: Actor,
    acting: ActingSeats,
    { world, range }: ActingOptions,
  ) {
    this.rollout = rollout;
    this.observer = observer;
    this.actor = actor;
    this.acting = acting;
    this.seats = observer.seats;
    this.firstRow = range.first * observer.seats.length;
    this.seatCount = world.seatCount;
  }

  /** One for every group of seats that the member acts for. @param rollouts of all environments, by these groups */
  static createAll(
    { learner, acting }: ActingMember,
    rollouts: readonly Rollout[],
    options: ActingOptions,
  ): Promise<ActingGroup[]> {
    const { world, range } = options;
    return Promise.all(
      rollouts.map(async (rollout) => {
        const policy = learner.policies.find(({ group }) => group === rollout.group)!;
        const seats = acting.driven[policy.group]!;
        const actor = await createRangeActor(range, seats.length, (rowCount) =>
          learner.createActor(policy.group, rowCount, { values: true }),
        );
        return new ActingGroup(rollout, new DrivenSeats(world, policy, seats, range.count), actor, acting, options);
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
    const offset = step * rollout.rowCount + this.firstRow;
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
    let index = step * rollout.rowCount + this.firstRow;
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
    this.rollout.nextValues.set(this.actor.values!, step * this.rollout.rowCount + this.firstRow);
  }
}
