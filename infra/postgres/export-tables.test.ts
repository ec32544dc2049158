import { describe, expect, it } from 'vitest';
import { listMigrations, listTables } from './backup-tables.ts';
import { EXPORT_TABLES } from './export-tables.ts';

/** Tables that no export has, and why. */
const INTERNAL: Readonly<Record<string, string>> = {
  results: 'its columns stand in the result table',
  strategy_states: 'what a strategy remembers has a form of its own',
  episode_samples: 'what a strategy saw, for the next decision only',
  imports: 'where imports of an experiment come from stands in its PROVENANCE.json',
  import_starts: 'a start stands in the simulators that have it',
  import_partners: 'a partner is exported with the policies',
  experiment_imports: 'which imports an experiment has stands in its PROVENANCE.json',
  mirrors: 'what trackers are told is no result',
  mirrored_runs: 'what trackers were told is no result',
  replay_segments: 'which files a learner goes on with, for as long as their checkpoint is kept',
};

describe('the tables of an export', () => {
  it('are all that the migrations make, but for those that are named here with a reason', () => {
    const sql = EXPORT_TABLES.map(({ from }) => from).join('\n');
    const missing = listTables(listMigrations()).filter((table) => !new RegExp(`\\b${table}\\b`).test(sql));
    expect(missing.sort()).toEqual(Object.keys(INTERNAL).sort());
  });

  it('have names, keys and texts of their own', () => {
    expect(new Set(EXPORT_TABLES.map(({ name }) => name)).size).toBe(EXPORT_TABLES.length);
    for (const { name, columns } of EXPORT_TABLES) {
      expect(new Set(columns.map(({ key }) => key)).size, name).toBe(columns.length);
      for (const { key, about } of columns) expect(about, `${name}.${key}`).not.toBe('');
    }
  });
});
