import getPort from 'get-port';
import { describe, expect, it } from 'vitest';
import { checkPostgres, checkTemporal } from './external-services.ts';

describe('the check of external services', () => {
  it('says which Postgres is missing, and not its password', async () => {
    const port = await getPort({ host: '127.0.0.1' });
    const error = await checkPostgres(`postgres://me:hidden@localhost:${port}/thaw`).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'WORLD_POSTGRES_UNAVAILABLE' });
    expect(String(error)).toMatch(new RegExp(`me:\\*\\*\\*@localhost:${port}.*ECONNREFUSED`));
    expect(String(error)).not.toContain('hidden');
  });

  it('says which Temporal server is missing', async () => {
    const address = `127.0.0.1:${await getPort({ host: '127.0.0.1' })}`;
    await expect(checkTemporal(address, 'mine')).rejects.toMatchObject({
      code: 'WORLD_TEMPORAL_UNAVAILABLE',
      message: expect.stringMatching(new RegExp(`mine.*${address}.*\\S`)),
    });
  });
});
