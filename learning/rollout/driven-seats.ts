import type { Batch, SimulatorData, World } from '../../simulators/contract.ts';
import type { PolicyDescription } from '../algorithms/contract.ts';

// Letters: B environments, N seats, G seats of the group, D driven seats of it, O observation features, I input features,
// A actions.

/**
 * The seats of one group that a policy has to act for in some environment of a batch, and the copying between the
 * batch's arrays and the rows of a forward pass. Seats that are scripted everywhere cost no row.
 */
export class DrivenSeats {
  readonly group: number;
  readonly seats: readonly number[];
  readonly inputSize: number;
  private readonly observations: Float32Array;
  private readonly observationSize: number;
  private readonly groupSeats: readonly number[];
  private readonly identitySize: number;
  /** Shape [B G A]; empty where every action is always legal. */
  private readonly masks: Uint8Array;

  /**
   * @param seats the driven seats of the group, ascending
   * @param environmentCount B
   */
  constructor(world: World, policy: PolicyDescription, seats: readonly number[], environmentCount: number) {
    const group = world.groups[policy.group]!;
    this.group = policy.group;
    this.seats = seats;
    this.groupSeats = group.seats;
    this.observationSize = group.observationSize;
    this.identitySize = policy.identitySize;
    this.inputSize = policy.inputSize;
    const rowCount = environmentCount * group.seats.length;
    this.observations = new Float32Array(rowCount * group.observationSize);
    this.masks = new Uint8Array(group.actions.kind === 'discrete' && group.masked ? rowCount * group.actions.count : 0);
  }

  /** Fills `masks`, shape [B D A], with which actions the driven seats may do now. Only for a group that is masked. */
  observeMasks(batch: Batch, masks: Uint8Array): void {
    batch.actionMask!(this.group, this.masks);
    const { groupSeats, seats } = this;
    const size = this.masks.length / (batch.environmentCount * groupSeats.length);
    let target = 0;
    for (let environment = 0; environment < batch.environmentCount; environment += 1) {
      for (const seat of seats) {
        const source = (environment * groupSeats.length + groupSeats.indexOf(seat)) * size;
        for (let action = 0; action < size; action += 1) masks[target++] = this.masks[source + action]!;
      }
    }
  }

  /** Fills `inputs`, shape [B D I], with what the driven seats see now, and who they are when the policy asks for it. */
  observe(batch: Batch, inputs: Float32Array): void {
    batch.observe(this.group, this.observations);
    const { observations, observationSize, groupSeats, seats, inputSize, identitySize } = this;
    let target = 0;
    for (let environment = 0; environment < batch.environmentCount; environment += 1) {
      for (const seat of seats) {
        const place = groupSeats.indexOf(seat);
        const source = (environment * groupSeats.length + place) * observationSize;
        for (let feature = 0; feature < observationSize; feature += 1) {
          inputs[target + feature] = observations[source + feature]!;
        }
        for (let other = 0; other < identitySize; other += 1) {
          inputs[target + observationSize + other] = other === place ? 1 : 0;
        }
        target += inputSize;
      }
    }
  }
}

/** The learners that a simulator leaves their seats: a partner on one of them, `self` included, replaces the learner. */
export function presentLearners(learners: readonly number[], { partners }: SimulatorData): readonly number[] {
  return learners.filter((seat) => partners[String(seat)] === undefined);
}

/** The seats that the partner whom the run trains along holds in a simulator, ascending. */
export function trainedSeats({ partners }: SimulatorData): number[] {
  return Object.keys(partners)
    .filter((seat) => partners[seat]!.kind === 'trained')
    .map(Number)
    .sort((a, b) => a - b);
}

/** The seats of every group that the learners' own networks act for in at least one of the simulators. */
export function drivenSeatsOf(world: World, simulators: readonly SimulatorData[]): number[][] {
  return seatsByGroup(world, (seat) =>
    simulators.some(({ partners }) => (partners[String(seat)]?.kind ?? 'self') === 'self'),
  );
}

/** The seats of every group that the partner whom the run trains along holds in at least one of the simulators. */
export function trainedSeatsOf(world: World, simulators: readonly SimulatorData[]): number[][] {
  const held = new Set(simulators.flatMap(trainedSeats));
  return seatsByGroup(world, (seat) => held.has(seat));
}

function seatsByGroup(world: World, isMeant: (seat: number) => boolean): number[][] {
  return world.groups.map(({ seats }) => seats.filter(isMeant));
}
