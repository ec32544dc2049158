import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import { RandomStream } from '../../simulators/random.ts';
import type { ActingSeats } from './acting-seats.ts';
import type { ActingMember } from './cast.ts';
import type { EnvironmentRange } from './environment-range.ts';
import type { RunningEpisodes } from './partner-policies.ts';
import { createRangeActor } from './range-actor.ts';
import type { Rollout } from './rollout-buffer.ts';
import { SeatActor } from './seat-actor.ts';

// Letters: B environments of the range, N seats, D driven seats of the group, W numbers of an action.

export interface ActingOptions {
  readonly world: World;
  /** The environments that are played here. */
  readonly range: EnvironmentRange;
  /** Whether episodes are scored against the critics, who are asked then even where their learners do not need it. */
  readonly scoresEpisodes: boolean;
}

/** The seats of one group that one member acts for in a range of environments, and where its experience is recorded. */
export class ActingGroup {
  private readonly rollout: Rollout;
  private readonly range: EnvironmentRange;
  private readonly seated: SeatActor;
  private readonly acting: ActingSeats;
  private readonly seatCount: number;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(rollout: Rollout, seated: SeatActor, acting: ActingSeats, { world, range }: ActingOptions) {
    this.rollout = rollout;
    this.range = range;
    this.seated = seated;
    this.acting = acting;
    this.seatCount = world.seatCount;
  }

  /** One for every group of seats that the member acts for. @param rollouts of all environments, by these groups */
  static createAll(
    { learner, acting }: ActingMember,
    rollouts: readonly Rollout[],
    options: ActingOptions,
  ): Promise<ActingGroup[]> {
    const { world, range, scoresEpisodes } = options;
    const asked = { values: learner.needs.values || scoresEpisodes, explores: true, environmentCount: range.total };
    return Promise.all(
      rollouts.map(async (rollout) => {
        const policy = learner.policies.find(({ group }) => group === rollout.group)!;
        const { seats } = rollout;
        const actor = await createRangeActor(range, seats.length, (rowCount) =>
          learner.createActor(policy.group, rowCount, asked),
        );
        const seated = new SeatActor({ world, policy, seats, environmentCount: range.count, actor });
        return new ActingGroup(rollout, seated, acting, options);
      }),
    );
  }

  /** @param lengths shape [B]: steps of the running episodes */
  observe(batch: Batch, lengths: Int32Array): void {
    this.seated.observe(batch, lengths);
  }

  forward(): Promise<void> {
    return this.seated.forward();
  }

  /** Samples actions from the last forward pass and records them. @param actions shape [B N W], written where they count */
  act(step: number, { simulators, actionKeys, lengths }: RunningEpisodes, actions: ActionArray): void {
    const { rollout, seatCount, random, seated } = this;
    const { head, seats, actor } = seated;
    const { actionSize } = head;
    const offset = this.rowOf(step);
    this.recordInputs(step);
    seated.commit();
    let row = 0;
    for (let environment = 0; environment < simulators.length; environment += 1) {
      const key = actionKeys[environment]!;
      const episodeStep = lengths[environment]!;
      const held = this.acting.held?.[simulators[environment]!];
      random.rekey(key.high, key.low);
      for (const seat of seats) {
        random.seek(episodeStep * seatCount + seat);
        const at = (offset + row) * actionSize;
        rollout.logProbabilities[offset + row] = head.sample(actor.logits, row, random, rollout.actions, at);
        if (held === undefined || held.includes(seat)) {
          head.give(rollout.actions, at, actions, (environment * seatCount + seat) * actionSize);
        }
        row += 1;
      }
    }
  }

  /** Records how a step went. @param rewards shape [B N] @param ends shape [B] @param simulators shape [B] */
  record(step: number, rewards: Float64Array, ends: Uint8Array, simulators: Int32Array): void {
    const { rollout, seatCount } = this;
    let index = this.rowOf(step);
    for (let environment = 0; environment < simulators.length; environment += 1) {
      const learning = this.acting.learning[simulators[environment]!]!;
      for (const seat of rollout.seats) {
        rollout.rewards[index] = rewards[environment * seatCount + seat]!;
        rollout.ends[index] = ends[environment]!;
        rollout.learning[index] = learning.includes(seat) ? 1 : 0;
        index += 1;
      }
    }
  }

  /** Takes what was observed last, and the forward pass on it, as what followed a step. */
  recordNext(step: number): void {
    const { rollout, seated } = this;
    const { inputs, masks, joint, values } = seated.actor;
    const row = this.rowOf(step);
    if (values !== null) rollout.nextValues.set(values, row);
    if (rollout.next === null) return;
    rollout.next.inputs.set(inputs, row * rollout.inputSize);
    if (masks !== null) rollout.next.masks!.set(masks, row * seated.head.outputSize);
    if (rollout.next.joint !== null) this.setJoint(rollout.next.joint, joint!, step);
  }

  private recordInputs(step: number): void {
    const { rollout, seated } = this;
    const { inputs, masks, joint, values, memory } = seated.actor;
    const row = this.rowOf(step);
    rollout.inputs.set(inputs, row * rollout.inputSize);
    if (values !== null) rollout.values.set(values, row);
    if (masks !== null) rollout.masks!.set(masks, row * seated.head.outputSize);
    if (memory !== null) rollout.memory!.set(memory.now, row * memory.size);
    if (rollout.joint !== null) this.setJoint(rollout.joint, joint!, step);
  }

  /** Index of the range's first row of a step. */
  private rowOf(step: number): number {
    return step * this.rollout.rowCount + this.range.first * this.rollout.seats.length;
  }

  private setJoint(target: Float32Array, joint: Float32Array, step: number): void {
    const { first, count, total } = this.range;
    target.set(joint, (step * total + first) * (joint.length / count));
  }
}
