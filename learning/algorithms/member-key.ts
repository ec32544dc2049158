import { foldIn, type Key, keyFrom } from '../../simulators/random.ts';
import type { LearnerSetup } from './contract.ts';

/**
 * The key of a stream of one of the policies that are trained in a run. The first draws what it would draw if it were
 * alone, so that a population holds the run of a single learner.
 *
 * @param parts what the stream is for: safe integers, the purpose first
 */
export function memberKey(
  { seed, memberIndex }: Pick<LearnerSetup, 'seed' | 'memberIndex'>,
  ...parts: readonly number[]
): Key {
  const key = keyFrom(seed, ...parts);
  return memberIndex === 0 ? key : foldIn(key, memberIndex);
}
