import type { StoredFailure } from '../../infra/postgres/failure-rows.ts';
import { presentLearners } from '../../learning/rollout/driven-seats.ts';
import { EpisodeReturns } from '../../learning/rollout/episode-return.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { SimulatorData } from '../../simulators/contract.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import type { PlayedRollout } from './episode-of.ts';
import { failureId } from './failure-id.ts';
import { type Chooser, playSteps, type RolloutStep } from './play-steps.ts';

/** How far returns may differ because another machine rounds otherwise, as a share of the larger of 1 and the return. */
const ROUNDING = 1e-9;

/**
 * A mined failure played again, from its simulator, key and actions as they are stored: no policy is needed.
 * @param variant that it was mined for
 * @param simulator that it happened in, draws written in
 * @throws DEFECT_INVARIANT when it does not go as it went
 */
export async function playFailure(
  variant: ResolvedVariant,
  failure: StoredFailure,
  simulator: SimulatorData,
): Promise<PlayedRollout> {
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const batch = world.createBatch(1);
  batch.reset(0, world.compile(simulator), failure.key);
  const chooser = storedActions(failure, simulator);
  const returns = new EpisodeReturns(world, 1);
  returns.start(0, presentLearners(variant.learners, simulator));
  const steps: RolloutStep[] = [];
  await playSteps(world, batch, chooser, (step) => {
    if (step.rewards !== null) returns.add(batch);
    steps.push(step);
  });
  checkReplay(failure, { length: returns.lengths[0]!, return: returns.returns[0]! });
  return { world, simulator, chooser, batch, steps };
}

/** Whoever is driven from outside does what it did. */
function storedActions({ actions }: StoredFailure, { partners }: SimulatorData): Chooser {
  return {
    stepCount: actions.length,
    driver: (seat) => `${partners[seat]?.kind ?? 'learner'}, as it acted`,
    async choose(step, _batch, into) {
      into.set(actions[step]!);
    },
    release: async () => undefined,
  };
}

/** A picture of something else than what was mined would be worse than none. @throws DEFECT_INVARIANT */
function checkReplay(failure: StoredFailure, again: { readonly length: number; readonly return: number }): void {
  const difference = Math.abs(again.return - failure.return);
  const isSame = difference <= ROUNDING * Math.max(1, Math.abs(failure.return));
  if (isSame && again.length === failure.actions.length) return;
  throw new ThawError(
    'DEFECT_INVARIANT',
    `${failureId(failure)} does not go as it went: its stored actions give ${again.return} in ${again.length} steps, ` +
      `stored are ${failure.return} in ${failure.actions.length}`,
  );
}
