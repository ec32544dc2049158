import type { Database } from '../../infra/postgres/database.ts';
import { findFailedSimulator, type StoredFailure } from '../../infra/postgres/failure-rows.ts';
import { measureText } from '../../web/documents/quantity-text.ts';
import type { PlayedRollout } from '../../web/replay/episode-of.ts';
import { failureId } from '../../web/replay/failure-id.ts';
import { playFailure } from '../../web/replay/play-failure.ts';
import { findFailure } from '../failures/find-failure.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { writePicture } from './rollout-picture.ts';
import { withDatabase } from '../services/service-session.ts';
import { note, print } from '../terminal/terminal.ts';

export interface FailureRolloutRequest {
  /** Id of the failure. */
  readonly failure: string;
  /** File that an animated picture is written to. */
  readonly render: string | undefined;
  /** Steps are printed without it too, unless there is a picture. */
  readonly output: 'json' | undefined;
}

const KEY_MOMENT = 'key moment';

/**
 * Plays a mined failure again, from the store alone.
 * @throws DEFECT_INVARIANT when it does not go as it went
 */
export async function rolloutFailure({ failure: id, render, output }: FailureRolloutRequest): Promise<void> {
  const { failure, played } = await withDatabase((database) => playStored(database, id));
  if (output === 'json' || render === undefined) for (const step of played.steps) print(jsonText(step));
  const subtitle = `failure ${failureId(failure)}, simulator ${failure.name}, return ${measureText(failure.return)}`;
  const { keyMoment, hasCritic } = failure;
  note(`${subtitle}; ${KEY_MOMENT}: ${hasCritic ? `step ${keyMoment}` : 'not known, there is no critic'}`);
  if (render === undefined) return;
  await writePicture(render, played, {
    subtitle,
    ...(hasCritic && { mark: { frame: keyMoment, text: KEY_MOMENT } }),
  });
}

async function playStored(
  database: Database,
  id: string,
): Promise<{ readonly failure: StoredFailure; readonly played: PlayedRollout }> {
  const { experiment, failure } = await findFailure(database, id);
  const variant = experiment.resolved.variants[failure.variant]!;
  return { failure, played: await playFailure(variant, failure, await findFailedSimulator(database, failure)) };
}
