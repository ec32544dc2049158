import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inPrivateHome } from '../../cli/bench/private-home.ts';
import { runDisturbed } from '../../cli/bench/disturbed-run.ts';
import { VICTIMS } from '../../cli/bench/victims.ts';
import { recordHistories } from '../support/record-histories.ts';

/** Set it to write the histories of the disturbed experiment, which `test/replay` replays from then on. */
const recordFolder = process.env['RECORD_HISTORIES'];

describe('the law of the product', () => {
  it('a run whose child, worker, server and database are killed ends with the rows of one that was left alone', async () => {
    const undisturbed = await inPrivateHome((session) => runDisturbed(session, []));
    const disturbed = await inPrivateHome(async (session) => {
      const run = await runDisturbed(session, VICTIMS);
      if (recordFolder !== undefined) {
        await mkdir(recordFolder, { recursive: true });
        for (const [name, history] of await recordHistories(session)) {
          await writeFile(path.join(recordFolder, `${name}.json`), JSON.stringify(history, null, 1));
        }
      }
      return run;
    });
    expect(undisturbed.states.every((state) => state === 'SUCCEEDED')).toBe(true);
    expect(disturbed.killed).toEqual(VICTIMS);
    expect(disturbed.attempts).toBeGreaterThan(undisturbed.attempts);
    expect(disturbed.states).toEqual(undisturbed.states);
    expect(disturbed.digest).toBe(undisturbed.digest);
    expect(disturbed.survivors).toBe(0);
  }, 300_000);
});
