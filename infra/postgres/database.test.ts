import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPostgres, type TestPostgres } from '../../test/support/postgres.ts';
import { CONNECTIONS_SERVED } from '../services/postgres-server.ts';
import { CONNECTIONS_MAX, createDatabase, PATIENCE_MS, type Database } from './database.ts';

let postgres: TestPostgres;
let database: Database;
let url: string;
beforeAll(async () => {
  postgres = await startTestPostgres();
  ({ database, url } = await postgres.createDatabase());
});
afterAll(() => postgres.stop());

const processIdOf = async (queryable: Pick<Database, 'query'>): Promise<number> =>
  (await queryable.query('select pg_backend_pid() as id')).rows[0]!['id'] as number;

describe('the connections of a process', () => {
  it('[P92] are so few that twenty workers and some commands fit a server as it comes', async () => {
    const [workers, commands, supervisor, reserved] = [20, 4, 1, 3];
    expect((workers + commands - 1) * CONNECTIONS_MAX + supervisor + reserved).toBeLessThanOrEqual(CONNECTIONS_SERVED);
    const { rows } = await database.query('show max_connections');
    expect(Number(rows[0]!['max_connections'])).toBe(CONNECTIONS_SERVED);
  });

  it('[P92] are never more, however much is asked at once', async () => {
    const work = createDatabase(url);
    const used = Promise.all(
      Array.from({ length: 5 * CONNECTIONS_MAX }, () =>
        work.transaction(async (client) => {
          await client.query('select pg_sleep(0.01)');
          return processIdOf(client);
        }),
      ),
    );
    expect(new Set(await used).size).toBe(CONNECTIONS_MAX);
    await work.close();
  });

  it('[P92] are replaced when the server has ended them while they were idle', async () => {
    const before = await processIdOf(database);
    const admin = createDatabase(url);
    const { rows } = await admin.query('select pg_terminate_backend($1) as ended', [before]);
    expect(rows).toEqual([{ ended: true }]);
    await admin.close();
    expect(await processIdOf(database)).not.toBe(before);
  });
});

describe('a server that is away', () => {
  it('is waited for twice as long as an outage of a minute', () => {
    expect(PATIENCE_MS).toBeGreaterThanOrEqual(2 * 60_000);
  });

  it('is asked again until patience is over by the clock, and then named without its password', async () => {
    const patienceMs = 300;
    const port = await getPort({ host: '127.0.0.1' });
    const nobody = createDatabase(`postgres://user:secret@127.0.0.1:${port}/thaw`, { patienceMs });
    const startedAt = performance.now();
    const asked = nobody.query('select 1');
    await expect(asked).rejects.toMatchObject({ code: 'WORLD_POSTGRES_UNAVAILABLE' });
    await expect(asked).rejects.not.toThrow('secret');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(patienceMs);
    await nobody.close();
  });

  it('is not waited for when the statement itself is wrong', async () => {
    await expect(database.query('select nonsense')).rejects.toThrow('nonsense');
  });
});
