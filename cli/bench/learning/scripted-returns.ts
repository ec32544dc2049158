import { EpisodeReturns } from '../../../learning/rollout/episode-return.ts';
import { withScriptedReference } from '../../../learning/rollout/scripted-reference.ts';
import type { ResolvedVariant } from '../../../schemas/resolved-experiment.ts';
import { createActions } from '../../../simulators/actions.ts';
import type { SimulatorData } from '../../../simulators/contract.ts';
import { foldIn, keyFrom, PURPOSE } from '../../../simulators/random.ts';
import { openWorld } from '../../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../../specification/registries.ts';

/**
 * Returns of the scripted reference in the learners' seats, each episode from the start that the evaluation of a policy
 * has; where the role of a learner has no such policy its first action is taken, so that nobody is compared with it.
 * @returns null when it holds not all of the learners' seats
 */
export function scriptedReturns(
  resolved: ResolvedVariant,
  simulator: SimulatorData,
  episodes: number,
): readonly number[] | null {
  const world = openWorld(resolved, DEFAULT_REGISTRIES);
  const { learners, evaluation } = resolved;
  const scripted = withScriptedReference(world, simulator, learners);
  if (learners.some((seat) => scripted.partners[seat]?.kind !== 'scripted')) return null;
  const batch = world.createBatch(episodes);
  const tally = new EpisodeReturns(world, episodes);
  const parameters = world.compile(scripted);
  const key = keyFrom(evaluation.seed, PURPOSE.evaluation);
  for (let episode = 0; episode < episodes; episode += 1) {
    batch.reset(episode, parameters, foldIn(key, episode));
    tally.start(episode, learners);
  }
  const returns = new Array<number>(episodes).fill(NaN);
  const actions = createActions(world, episodes);
  for (let step = 0; step < world.episodeStepsMax; step += 1) {
    void batch.step(actions);
    tally.add(batch);
    for (let episode = 0; episode < episodes; episode += 1) {
      const isOver = batch.ended[episode] === 1 || batch.truncated[episode] === 1;
      if (isOver && Number.isNaN(returns[episode])) returns[episode] = tally.returns[episode]!;
    }
  }
  return returns;
}
