import type { Database } from './database.ts';
import type { NewExperiment } from './experiment-rows.ts';
import { insertExperimentEvent } from './event-rows.ts';

/**
 * Takes over what a spec that is submitted again says otherwise and what is no part of its identity: how its runs are
 * carried out, and what it says of itself. Runs see it with their next attempt.
 * @param experiment of the same identity as the one stored under its id
 * @param changes for the log, e.g. `execution.memory_mib 256 → 1024`
 */
export async function updateExperiment(
  database: Database,
  { id, document, resolved, sourceFile }: Pick<NewExperiment, 'id' | 'document' | 'resolved' | 'sourceFile'>,
  changes: string,
): Promise<void> {
  await database.transaction(async (client) => {
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
