import { ThawError } from '../../schemas/errors.ts';
import type { Database, Queryable } from './database.ts';
import { insertRuns, type NewExperiment } from './experiment-rows.ts';
import { insertExperimentEvent } from './event-rows.ts';
import { skipEqualRuns } from './run-rows.ts';

/** What a spec says now that is no part of an experiment's identity, or adds to it. */
export interface ExperimentUpdate extends Pick<NewExperiment, 'id' | 'document' | 'resolved' | 'sourceFile'> {
  /** For the log, e.g. `execution.memory_mib 256 → 1024`. */
  readonly changes: string;
  /** Seeds after those that there were; absent for none. */
  readonly growth?: { readonly seeds: readonly number[]; readonly identityHash: string };
}

/** The spec of an experiment, which becomes the same experiment by itself. */
export async function findDocument(database: Database, id: string): Promise<unknown> {
  const { rows } = await database.query('select document from experiments where id = $1', [id]);
  return rows[0]?.['document'];
}

/**
 * Takes over what a spec says otherwise and what is no part of its identity: how its runs are carried out, and what it
 * says of itself. Runs see it with their next attempt. With further seeds the experiment gets their runs, and the
 * identity of a spec that had them from the start.
 * @throws REQUEST_CONFLICT when another experiment has that identity
 */
export async function updateExperiment(database: Database, update: ExperimentUpdate): Promise<void> {
  const { id, document, resolved, sourceFile, changes, growth } = update;
  await database.transaction(async (client) => {
    if (growth !== undefined) await growExperiment(client, update, growth);
    await client.query(
      'update experiments set document = $2, resolved = $3, execution = $4, source_file = $5 where id = $1',
      [id, JSON.stringify(document), JSON.stringify(resolved), JSON.stringify(resolved.execution), sourceFile],
    );
    await client.query(
      `update variants set resolved = submitted.value from json_each($2) submitted
        where experiment_id = $1 and name = submitted.key`,
      [id, JSON.stringify(resolved.variants)],
    );
    await insertExperimentEvent(client, id, 'changed', `${changes}, from ${sourceFile}`);
  });
}

async function growExperiment(
  client: Queryable,
  { id, resolved }: ExperimentUpdate,
  { seeds, identityHash }: NonNullable<ExperimentUpdate['growth']>,
): Promise<void> {
  // As a submission under the name does, and for the same reason.
  await client.query('select pg_advisory_xact_lock(hashtext($1))', [resolved.name]);
  const others = await client.query('select id from experiments where identity_hash = $1 and id <> $2', [
    identityHash,
    id,
  ]);
  const other = others.rows[0]?.['id'] as string | undefined;
  if (other !== undefined) {
    throw new ThawError('REQUEST_CONFLICT', `With these seeds ${id} would be ${other}, which is there already.`, {
      remedy: `Go on with that one: \`thaw resume ${other}\`. What is finished of ${id} is not computed again there.`,
    });
  }
  const grown = await client.query(
    `update experiments set identity_hash = $2 where id = $1 and (resolved->'seeds')::jsonb = $3::jsonb`,
    [id, identityHash, JSON.stringify(resolved.seeds.slice(0, resolved.seeds.length - seeds.length))],
  );
  if (grown.rowCount === 0) {
    throw new ThawError('REQUEST_CONFLICT', `The seeds of ${id} were changed by somebody else in this moment.`, {
      remedy: 'Call the command again.',
    });
  }
  const { rows } = await client.query('select 1 + max(position) as next from runs where experiment_id = $1', [id]);
  await insertRuns(client, id, resolved, { seeds, firstPosition: rows[0]!['next'] as number });
  await skipEqualRuns(client, 'experiment_id', id);
}
