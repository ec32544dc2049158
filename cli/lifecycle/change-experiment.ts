import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { updateExperiment } from '../../infra/postgres/experiment-update.ts';
import { ThawError } from '../../schemas/errors.ts';
import { experimentHash } from '../../specification/experiment-identity.ts';
import { changedSpec, type AskedChange, type ChangedSpec } from '../submission/changed-spec.ts';
import { limitedLines } from '../terminal/limited-lines.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';
import type { ServiceSession } from '../services/service-session.ts';
import { specChanges, type SpecChanges } from '../submission/submission-changes.ts';

/** A change of an experiment that keeps it what it is. */
export interface AcceptedChange extends ChangedSpec {
  readonly changes: SpecChanges;
}

/**
 * What a change asks for, where the experiment can take it over; null when none is asked for. Nothing is written.
 * @throws REQUEST_CONFLICT with the differences that would make another experiment
 */
export async function acceptedChange(
  database: ServiceSession['database'],
  experiment: ExperimentRecord,
  { takesSeeds, ...asked }: AskedChange & { takesSeeds: boolean },
): Promise<AcceptedChange | null> {
  if (asked.file === undefined && asked.overrides.length === 0) return null;
  const spec = await changedSpec(database, experiment, asked);
  const changes = specChanges(spec.stored, spec.changed.experiment);
  if (changes.refused.length > 0) throw otherExperiment(experiment, changes.refused, asked);
  if (changes.appendedSeeds.length > 0) refuseSeeds(experiment, takesSeeds);
  return { ...spec, changes };
}

/** Runs of a fork go on from others, and there is none for a further seed. */
function refuseSeeds({ id, forked }: ExperimentRecord, takesSeeds: boolean): void {
  if (!takesSeeds) {
    throw new ThawError(
      'REQUEST_CONFLICT',
      `Nothing was changed: only \`execution\` can change with a retry, not seeds.`,
      {
        remedy: `\`thaw resume ${id} --set seeds=…\` takes further seeds.`,
      },
    );
  }
  if (forked === null || forked.round === null) return;
  const why = `was forked at round ${forked.round}, where runs of further seeds would not begin`;
  throw new ThawError('REQUEST_CONFLICT', `Nothing was changed: ${id} ${why}.`, {
    remedy: `Give the seeds to its parent, \`thaw resume ${forked.from} --set seeds=…\`, and fork that again.`,
  });
}

/** Writes a change into the experiment; its runs see it with their next attempt. */
export async function applyChange(
  { database, configuration }: Pick<ServiceSession, 'database' | 'configuration'>,
  { id, resolved: before }: ExperimentRecord,
  { changed, changes: { accepted, appendedSeeds } }: AcceptedChange,
): Promise<void> {
  if (accepted.length === 0 && appendedSeeds.length === 0) return;
  const artifacts = createFolderStore(configuration.artifacts);
  for (const bytes of changed.policies.values()) await artifacts.write(bytes);
  const resolved = { ...changed.experiment, source_form: before.source_form };
  const seeds = { seeds: appendedSeeds, identityHash: experimentHash(resolved) };
  await updateExperiment(database, {
    id,
    document: changed.document,
    resolved,
    sourceFile: changed.file,
    changes: changeTexts({ accepted, appendedSeeds }).join(', '),
    ...(appendedSeeds.length > 0 && { growth: seeds }),
  });
}

/** What changes, a line each. */
export function changeTexts({ accepted, appendedSeeds }: Pick<SpecChanges, 'accepted' | 'appendedSeeds'>): string[] {
  if (appendedSeeds.length === 0) return [...accepted];
  return [...accepted, `${pluralText(appendedSeeds.length, 'further seed')}: ${appendedSeeds.join(', ')}`];
}

function otherExperiment(
  { id }: ExperimentRecord,
  refused: readonly string[],
  { file, overrides }: AskedChange,
): ThawError {
  const settings = overrides.map((text) => ` --set '${text}'`).join('');
  const other = file === undefined ? '' : `, and \`thaw submit ${file}${settings}\` a version of its own`;
  return new ThawError(
    'REQUEST_CONFLICT',
    `Nothing was changed: this would make another experiment of ${id}.\n${limitedLines(refused)}`,
    {
      remedy: `\`thaw fork ${id}${file === undefined ? settings : ' --set …'}\` makes a new experiment out of this one${other}. Only execution and further seeds can change here.`,
    },
  );
}
