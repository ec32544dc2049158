import { describe, expect, it } from 'vitest';
import { drawFaults, faultName } from './faults.ts';

const counts = (names: readonly string[]) =>
  Object.fromEntries([...new Set(names)].sort().map((name) => [name, names.filter((each) => each === name).length]));

describe('faults', () => {
  it('are as many as were asked for, and the same under the same seed only', () => {
    const draw = (seed: number) => drawFaults({ kills: 20, memory: 5, seed });
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(1).filter(({ how }) => how === 'lack of memory')).toHaveLength(5);
    expect(draw(1)).toHaveLength(25);
  });

  it('hit every component in every eight kills, whatever the seed', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const names = drawFaults({ kills: 8, memory: 0, seed }).map(faultName);
      expect(counts(names)).toEqual({
        'everything at once': 1,
        postgres: 1,
        supervisor: 1,
        temporal: 1,
        'training child': 2,
        worker: 1,
        'worker, SIGTERM': 1,
      });
    }
  });

  it('are half an interval to one and a half apart', () => {
    for (const { pauseShare, choice } of drawFaults({ kills: 50, memory: 50, seed: 3 })) {
      expect(pauseShare).toBeGreaterThanOrEqual(0.5);
      expect(pauseShare).toBeLessThan(1.5);
      expect(Math.floor(choice * 3)).toBeLessThan(3);
    }
  });
});
