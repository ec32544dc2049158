import type { Database } from '../infra/postgres/database.ts';
import { findFailedSimulator, type StoredFailure } from '../infra/postgres/failure-rows.ts';
import { presentLearners } from '../learning/rollout/driven-seats.ts';
import { EpisodeReturns } from '../learning/rollout/episode-return.ts';
import { ThawError } from '../schemas/errors.ts';
import type { SimulatorData } from '../simulators/contract.ts';
import { openWorld } from '../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { failureId, findFailure, type FoundFailure } from './find-failure.ts';
import { jsonText } from './json-text.ts';
import { measureText } from '../web/documents/quantity-text.ts';
import type { Chooser } from './rollout-actions.ts';
import { type PlayedRollout, writePicture } from './rollout-picture.ts';
import { playSteps, type RolloutStep } from './rollout-steps.ts';
import { withDatabase } from './service-session.ts';
import { note, print } from './terminal.ts';

export interface FailureRolloutRequest {
  /** Id of the failure. */
  readonly failure: string;
  /** File that an animated picture is written to. */
  readonly render: string | undefined;
  /** Steps are printed without it too, unless there is a picture. */
  readonly output: 'json' | undefined;
}

/** How far returns may differ because another machine rounds otherwise, as a share of the larger of 1 and the return. */
const ROUNDING = 1e-9;

const KEY_MOMENT = 'key moment';

/**
 * Plays a mined failure again, from its simulator, key and actions as they are stored: no policy is needed.
 * @throws DEFECT_INVARIANT when it does not go as it went
 */
export async function rolloutFailure({ failure: id, render, output }: FailureRolloutRequest): Promise<void> {
  const played = await withDatabase((database) => replayFailure(database, id));
  if (output === 'json' || render === undefined) for (const step of played.steps) print(jsonText(step));
  note(`${played.subtitle}; ${KEY_MOMENT}: step ${played.mark!.frame}`);
  if (render !== undefined) await writePicture(render, played);
}

/** The failure played again, checked against what is stored of it. */
export async function replayFailure(database: Database, id: string): Promise<PlayedRollout> {
  const found = await findFailure(database, id);
  return play(found, await findFailedSimulator(database, found.failure));
}

async function play({ experiment, failure }: FoundFailure, simulator: SimulatorData): Promise<PlayedRollout> {
  const variant = experiment.resolved.variants[failure.variant]!;
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
  const told = `failure ${failureId(failure)}, simulator ${failure.name}, return ${measureText(failure.return)}`;
  return {
    world,
    simulator,
    chooser,
    batch,
    steps,
    subtitle: told,
    mark: { frame: failure.keyMoment, text: KEY_MOMENT },
  };
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
