import { describe, expect, it } from 'vitest';
import type { SimulatorReturn } from '../../infra/postgres/simulator-return-rows.ts';
import { simulatorGroups } from './simulator-groups.ts';

function row(seed: number, simulator: string, simulatorHash: string): SimulatorReturn {
  const rest = { panel: 'train', checkpoint: 'last', episodes: 10, returnMean: -seed, returnStd: 1 } as const;
  return { variant: 'pool', seed, simulator, simulatorHash, ...rest };
}

describe('returns by simulator', () => {
  it('are of all seeds where its content is the same', () => {
    const rows = [row(0, 'zero', 'aa'), row(1, 'zero', 'aa')];
    expect(simulatorGroups(rows)).toEqual([{ variant: 'pool', panel: 'train', simulator: 'zero', returns: rows }]);
  });

  it('are apart where draws of one name differ from seed to seed, and told apart by their hashes', () => {
    const rows = [row(0, 'zero~1', '0123456789'), row(1, 'zero~1', 'abcdef0123'), row(2, 'zero~1', '0123456789')];
    expect(simulatorGroups(rows).map(({ simulator, returns }) => [simulator, returns.map(({ seed }) => seed)])).toEqual(
      [
        ['zero~1 01234567', [0, 2]],
        ['zero~1 abcdef01', [1]],
      ],
    );
  });
});
