import type { Database, Queryable } from './database.ts';

/**
 * Reads from a database as it is at one moment, whatever is written meanwhile. When the connection breaks the whole of the
 * work is done again, of another moment.
 */
export function atOneMoment<Result>(
  database: Database,
  work: (snapshot: Database) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (client) => {
    await client.query('set transaction isolation level repeatable read, read only');
    // Several at once would give rows in whatever order they come to them.
    await client.query('set local max_parallel_workers_per_gather = 0');
    // Rows of a run come from their index in order, rather than being sorted.
    await client.query('set local random_page_cost = 1');
    return work(snapshotOf(client));
  });
}

function snapshotOf(client: Queryable): Database {
  return {
    query: (text, values) => client.query(text, values),
    transaction: (work) => work(client),
    close: async () => undefined,
  };
}
