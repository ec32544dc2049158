import type { Batch, World } from '../../simulators/contract.ts';

// Letters: B environments, G seats of a group, O observation features of it, C = Σ G·O over the groups.

/** C: numbers that all seats of an environment see together, scripted ones included. */
export function jointSizeOf({ groups }: Pick<World, 'groups'>): number {
  return groups.reduce((size, { seats, observationSize }) => size + seats.length * observationSize, 0);
}

/** Gathers what all seats see, group by group, seat by seat. */
export class JointObserver {
  private readonly observations: readonly Float32Array[];
  private readonly size: number;

  constructor(world: Pick<World, 'groups'>, environmentCount: number) {
    this.size = jointSizeOf(world);
    this.observations = world.groups.map(
      ({ seats, observationSize }) => new Float32Array(environmentCount * seats.length * observationSize),
    );
  }

  /** @param joint shape [B C], filled */
  observe(batch: Batch, joint: Float32Array): void {
    let offset = 0;
    this.observations.forEach((observations, group) => {
      batch.observe(group, observations);
      const part = observations.length / batch.environmentCount;
      for (let environment = 0; environment < batch.environmentCount; environment += 1) {
        const source = environment * part;
        joint.set(observations.subarray(source, source + part), environment * this.size + offset);
      }
      offset += part;
    });
  }
}
