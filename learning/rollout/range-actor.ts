import type { Actor } from '../algorithms/contract.ts';
import type { EnvironmentRange } from './environment-range.ts';

/**
 * The rows of a range of environments within a forward pass over all environments of the round. The last bits of a row
 * depend on how many rows a pass has and on the row's place among them (docs/decisions/027), so whoever plays a part of
 * the environments passes all rows, his own where they would be, and zeros elsewhere.
 *
 * @param seatCount rows of an environment
 * @param create makes the whole pass
 */
export async function createRangeActor(
  { first, count, total }: EnvironmentRange,
  seatCount: number,
  create: (rowCount: number) => Promise<Actor>,
): Promise<Actor> {
  const whole = await create(total * seatCount);
  const partOf = <Numbers extends Float32Array | Uint8Array>(array: Numbers): Numbers => {
    const size = array.length / total;
    return array.subarray(first * size, (first + count) * size) as Numbers;
  };
  const { masks, joint, memory, values } = whole;
  return {
    rowCount: count * seatCount,
    inputs: partOf(whole.inputs),
    masks: masks && partOf(masks),
    joint: joint && partOf(joint),
    memory: memory && { size: memory.size, now: partOf(memory.now), next: partOf(memory.next) },
    logits: partOf(whole.logits),
    values: values && partOf(values),
    forward: () => whole.forward(),
    release: () => whole.release(),
  };
}
