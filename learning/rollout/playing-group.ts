import type { ActionArray, ActionSpace, Batch, SimulatorData, World } from '../../simulators/contract.ts';
import { RandomStream } from '../../simulators/random.ts';
import type { PolicyMode } from './action-choice.ts';
import { type ActionHead, actionHead } from './action-head.ts';
import { untrainedSeats } from './acting-seats.ts';
import type { Actor, Learner } from '../algorithms/contract.ts';
import { drivenSeatsOf, trainedSeats, trainedSeatsOf } from './driven-seats.ts';
import type { RunningEpisodes } from './partner-policies.ts';
import { SeatActor } from './seat-actor.ts';

// Letters: B environments, N seats, D seats of a group that are played, W numbers of an action.

/** Whoever can act for groups of seats; those without a seat to play may be left out. */
type Policies = Pick<Learner, 'policies' | 'createActor'>;

/**
 * Who acts in the seats that are driven from outside: a learner's current policy and, in the seats of a trained partner,
 * the current policy of that; or chance in all of them.
 */
export type Player =
  | {
      readonly kind: 'policy';
      readonly learner: Policies;
      /** Needed where a simulator has seats for it. */
      readonly partner?: Policies | undefined;
      readonly mode: PolicyMode;
    }
  | { readonly kind: 'random' };

export interface PlayingOptions {
  readonly world: World;
  readonly simulators: readonly SimulatorData[];
  /** B: forward passes have rows for every environment, whatever it holds. */
  readonly environmentCount: number;
  /** Present where the learners' critic is asked, too. */
  readonly values?: true;
}

/** The rows that the learners' own policy acts on in one group, in the order of environments, then of seats. */
export interface LearnerRows {
  readonly group: number;
  /** Shape [D]: seats of an environment. */
  readonly seats: readonly number[];
  readonly inputSize: number;
  /** How its logits are read. */
  readonly actions: ActionSpace;
  /** Its inputs and logits are those of the last forward pass. */
  readonly actor: Actor;
  /** Another forward pass, with illegal actions taken out as in the last. */
  forward(): Promise<void>;
}

interface PlayingPolicy {
  readonly seated: SeatActor;
  readonly mode: PolicyMode;
}

/** The seats of one group that one policy, or chance, plays in an evaluation. */
export class PlayingGroup {
  private readonly seats: readonly number[];
  private readonly seatCount: number;
  private readonly head: ActionHead;
  /** Null: chance. */
  private readonly policy: PlayingPolicy | null;
  /** For each simulator, the seats whose actions count; null where whoever acts later may write over them. */
  private readonly held: readonly (readonly number[])[] | null;
  private readonly random = new RandomStream({ high: 0, low: 0 });

  private constructor(
    { world }: PlayingOptions,
    { group, seats }: { group: number; seats: readonly number[] },
    policy: PlayingPolicy | null,
    held: readonly (readonly number[])[] | null,
  ) {
    this.seats = seats;
    this.seatCount = world.seatCount;
    this.head = actionHead(world.groups[group]!.actions);
    this.policy = policy;
    this.held = held;
  }

  /** In the order in which they must act. @throws DEFECT_INVARIANT when a seat is for a partner and there is none */
  static async createAll(player: Player, options: PlayingOptions): Promise<PlayingGroup[]> {
    const { world, simulators } = options;
    const [driven, trained] = [drivenSeatsOf(world, simulators), trainedSeatsOf(world, simulators)];
    if (player.kind === 'random') {
      return [driven, trained].flatMap((byGroup) =>
        byGroup.map((seats, group) => new PlayingGroup(options, { group, seats }, null, null)),
      );
    }
    const learners = await playing(player.learner, player.mode, driven, options);
    const groups = learners.map(({ place, policy }) => new PlayingGroup(options, place, policy, null));
    if (trained.flat().length === 0) return groups;
    if (player.partner === undefined) throw untrainedSeats(trained.flat());
    const held = simulators.map(trainedSeats);
    const partners = await playing(player.partner, player.mode, trained, options);
    return [...groups, ...partners.map(({ place, policy }) => new PlayingGroup(options, place, policy, held))];
  }

  /** Null where chance plays, or a trained partner. */
  get learnerRows(): LearnerRows | null {
    const { policy, seats } = this;
    if (policy === null || this.held !== null) return null;
    const { group, inputSize, actions } = policy.seated.policy;
    return { group, seats, inputSize, actions, actor: policy.seated.actor, forward: () => policy.seated.forward() };
  }

  /** Writes the actions of its seats. @param actions shape [B N W], the other entries are left alone */
  async act(batch: Batch, episodes: RunningEpisodes, actions: ActionArray): Promise<void> {
    const { policy } = this;
    policy?.seated.observe(batch, episodes.lengths);
    await policy?.seated.forward();
    policy?.seated.commit();
    this.choose(episodes, actions);
  }

  private choose({ simulators, actionKeys, lengths }: RunningEpisodes, actions: ActionArray): void {
    const { policy, random, head, seatCount } = this;
    let row = 0;
    for (let environment = 0; environment < simulators.length; environment += 1) {
      const key = actionKeys[environment]!;
      const held = this.held?.[simulators[environment]!];
      random.rekey(key.high, key.low);
      for (const seat of this.seats) {
        random.seek(lengths[environment]! * seatCount + seat);
        if (held === undefined || held.includes(seat)) {
          const at = (environment * seatCount + seat) * head.actionSize;
          if (policy === null) head.any(random, actions, at);
          else policy.seated.choose(policy.mode, row, random, actions, at);
        }
        row += 1;
      }
    }
  }
}

interface GroupPlace {
  readonly group: number;
  readonly seats: readonly number[];
}

/** A learner's policies for all groups in which it has seats to play. */
function playing(
  learner: Policies,
  mode: PolicyMode,
  seatsOfGroup: readonly (readonly number[])[],
  { world, environmentCount, values }: PlayingOptions,
): Promise<{ readonly place: GroupPlace; readonly policy: PlayingPolicy }[]> {
  const places = seatsOfGroup.map((seats, group) => ({ group, seats })).filter(({ seats }) => seats.length > 0);
  return Promise.all(
    places.map(async (place) => {
      const { group, seats } = place;
      const asked = { values: values === true, explores: false, environmentCount };
      const actor = await learner.createActor(group, environmentCount * seats.length, asked);
      const policy = learner.policies[group]!;
      return { place, policy: { seated: new SeatActor({ world, policy, seats, environmentCount, actor }), mode } };
    }),
  );
}
