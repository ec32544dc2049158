import { createHash } from 'node:crypto';
import type { TrainResponse } from '../../activities/session-messages.ts';
import { trainedRound } from '../../activities/trained-round.ts';
import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import { machineFingerprint } from '../../infra/fingerprint.ts';
import { notReproducible } from '../../learning/diagnosis/not-reproducible.ts';
import { ThawError } from '../../schemas/errors.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { findTarget } from '../runs/find-target.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { reproduceRound, type ReplayDependencies } from './reproduce-round.ts';
import { reproductionText, type Reproduction } from './reproduction-text.ts';
import { withDatabase } from '../services/service-session.ts';
import { sessionHandlers } from '../worker/session-handlers.ts';
import { noteOnTerminal, print } from '../terminal/terminal.ts';

/** Plays one round of a run again and prints whether it gives the stored rows. */
export async function showReproduction(
  id: string,
  { round, format }: { round: number | undefined; format: 'table' | 'json' },
): Promise<ExitCode> {
  return withDatabase(async (database) => {
    const { run, experiment } = await findTarget(database, id);
    if (run === undefined) {
      throw new ThawError('REQUEST_BAD_ARGUMENT', `"${id}" is an experiment, and one run is played again.`, {
        remedy: `Name a run: ${experiment.id}/VARIANT/SEED; \`thaw get ${experiment.id}\` lists them.`,
      });
    }
    noteOnTerminal(`playing a round of ${run.id} again …`);
    const store = createFolderStore(readConfiguration(process.env).artifacts);
    const reproduction = await reproduceRound({ database, ...replayIn(store) }, run.id, round);
    const isEqual = reproduction.difference === null;
    if (format === 'json') print(jsonText(reproductionDocument(reproduction), 2));
    else print([reproductionText(reproduction), ...(isEqual ? [] : [`Remedy: ${notReproducible.remedy}`])].join('\n'));
    return isEqual ? EXIT.done : EXIT.runsFailed;
  });
}

function reproductionDocument({ runId, round, compared, difference, machineChanges }: Reproduction): object {
  return { run: runId, round, is_equal: difference === null, compared, difference, machine_changes: machineChanges };
}

/** Training in this process, which has played nothing yet; of what it would store only the name is kept. */
export function replayIn(store: ArtifactStore): Omit<ReplayDependencies, 'database'> {
  const handlers = sessionHandlers({
    ...store,
    write: async (content) => ({ hash: createHash('sha256').update(content).digest('hex'), bytes: content.length }),
  });
  return {
    train: async (request) => trainedRound((await handlers['train']!(request, async () => undefined)) as TrainResponse),
    fingerprint: machineFingerprint,
  };
}
