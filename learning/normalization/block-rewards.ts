import type { Experienced } from '../algorithms/contract.ts';
import { arrayOfLength, type CheckpointArray, partOf, prefixed } from '../checkpoint.ts';
import { RewardScales } from './reward-scales.ts';

/**
 * Divides the rewards of whole blocks before they are kept for later, every group's by its own scales. A transition keeps
 * the scale of its time: what the moments were then, though they move on.
 */
export class BlockRewards {
  private readonly scales: ReadonlyMap<number, RewardScales>;

  constructor(groups: readonly number[], gamma: number) {
    this.scales = new Map(groups.map((group) => [group, new RewardScales(gamma)]));
  }

  /** What a value of a group is multiplied by to be in units of return. */
  unitOf(group: number): number {
    return this.scales.get(group)!.common;
  }

  /** Takes a block in. @returns the same with other rewards */
  scaled(block: Experienced): Experienced {
    const rollouts = block.rollouts.map((rollout) => ({
      ...rollout,
      rewards: this.scales.get(rollout.group)!.scaled({ ...block, rollout }),
    }));
    return { ...block, rollouts };
  }

  arrays(): Record<string, CheckpointArray> {
    const parts = [...this.scales].flatMap(([group, scales]) =>
      Object.entries(prefixed(String(group), scales.arrays())),
    );
    return Object.fromEntries(parts);
  }

  /** Reads what a checkpoint holds, and takes it up when called. @throws REQUEST_CONFLICT when it is of others */
  reader(arrays: Readonly<Record<string, CheckpointArray | undefined>>): () => void {
    const found = [...this.scales].map(([group, scales]) => {
      const own = partOf(arrays, `${group}.`);
      const read = Object.keys(own).map((name) => [name, arrayOfLength(own, name, 3, 'the rewards')] as const);
      return { scales, read: Object.fromEntries(read) };
    });
    return () => {
      for (const { scales, read } of found) scales.load(read);
    };
  }
}
