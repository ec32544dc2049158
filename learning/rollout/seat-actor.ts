import type { ActionArray, Batch, World } from '../../simulators/contract.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { Actor, PolicyDescription } from '../algorithms/contract.ts';
import { type ActionHead, actionHead } from './action-head.ts';
import { excludeIllegal, type PolicyMode } from './action-choice.ts';
import { DrivenSeats } from './driven-seats.ts';
import { JointObserver } from './joint-observer.ts';

// Letters: B environments, N seats, D driven seats of the group, R = B·D rows, W numbers of an action.

export interface SeatActorOptions {
  readonly world: World;
  readonly policy: PolicyDescription;
  /** Shape [D], ascending. */
  readonly seats: readonly number[];
  /** B */
  readonly environmentCount: number;
  /** Of R rows. */
  readonly actor: Actor;
}

/** A policy at the seats of one group: it is shown the states of a batch, remembers what it must, and is asked for actions. */
export class SeatActor {
  readonly policy: PolicyDescription;
  readonly seats: readonly number[];
  readonly actor: Actor;
  readonly head: ActionHead;
  private readonly observer: DrivenSeats;
  private readonly jointObserver: JointObserver | null;
  private readonly drawn: ActionArray;
  /** Shape [R A]: the actor's own where it has such, so that it knows; null where every action always is legal. */
  private readonly masks: Uint8Array | null;
  /** Whether the last forward pass was acted on, so that what it made of the memory holds. */
  private hasActed = false;

  constructor({ world, policy, seats, environmentCount, actor }: SeatActorOptions) {
    this.policy = policy;
    this.seats = seats;
    this.actor = actor;
    this.head = actionHead(policy.actions);
    this.observer = new DrivenSeats(world, policy, seats, environmentCount);
    const hasIllegal = world.groups[policy.group]!.masked === true;
    this.masks = hasIllegal ? (actor.masks ?? new Uint8Array(actor.logits.length)) : null;
    // A policy may ask where nothing is ever illegal.
    if (!hasIllegal) actor.masks?.fill(1);
    this.jointObserver = actor.joint && new JointObserver(world, environmentCount);
    const { actionSize } = this.head;
    this.drawn = policy.actions.kind === 'discrete' ? new Int32Array(actionSize) : new Float32Array(actionSize);
  }

  /**
   * Takes in the states. Where an episode begins nothing is remembered.
   * @param lengths shape [B]: steps of the running episodes
   */
  observe(batch: Batch, lengths: Int32Array): void {
    const { actor, observer } = this;
    observer.observe(batch, actor.inputs);
    if (this.masks !== null) observer.observeMasks(batch, this.masks);
    this.jointObserver?.observe(batch, actor.joint!);
    if (actor.memory !== null) this.recall(actor.memory, lengths);
  }

  async forward(): Promise<void> {
    const { actor, masks } = this;
    await actor.forward();
    // A policy that is not told of illegal actions has to be kept from them.
    if (masks === null || actor.masks !== null) return;
    excludeIllegal(actor.logits, masks);
  }

  /** The actions of this forward pass are taken: what it remembers holds from now on. */
  commit(): void {
    this.hasActed = true;
  }

  /** Writes the action of a row, as the world takes it. @param random used only where an action is drawn */
  choose(mode: PolicyMode, row: number, random: RandomStream, actions: ActionArray, at: number): void {
    const { head, drawn, actor } = this;
    if (mode === 'deterministic') head.best(actor.logits, row, drawn, 0);
    else head.sample(actor.logits, row, random, drawn, 0);
    head.give(drawn, 0, actions, at);
  }

  private recall({ size, now, next }: NonNullable<Actor['memory']>, lengths: Int32Array): void {
    if (this.hasActed) now.set(next);
    this.hasActed = false;
    const perEnvironment = size * this.seats.length;
    lengths.forEach((length, environment) => {
      if (length === 0) now.fill(0, environment * perEnvironment, (environment + 1) * perEnvironment);
    });
  }
}
