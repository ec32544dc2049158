import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SITUATIONS } from '../../test/support/strategy-situation.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { numberAt, setNumberAt } from './draw-simulator.ts';
import { editSimulator } from './edit-simulator.ts';

const { world, train } = SITUATIONS.spread;
const { parameters } = world;
const parent = train[0]!.simulator;
const RANGES = { 'rules.damping': [0.1, 0.5], 'perturbations.action_delay': [0.5, 3.5] } as const;
const PATHS = Object.keys(RANGES) as (keyof typeof RANGES)[];
const SCALE = 0.1;

function parentAt(damping: number, delay: number): typeof parent {
  const copy = structuredClone(parent);
  setNumberAt(copy, 'rules.damping', damping);
  setNumberAt(copy, 'perturbations.action_delay', delay);
  return copy;
}

const childOf = (simulator: typeof parent, seed: number, scale = SCALE) =>
  editSimulator(simulator, { ranges: RANGES, parameters, scale }, new RandomStream(keyFrom(seed)))!;

/** Children of one parent under many seeds. */
const childrenOf = (simulator: typeof parent) => Array.from({ length: 400 }, (_, seed) => childOf(simulator, seed));

describe('an edited child', () => {
  it('differs in at least one ranged number, and lies in the ranges wherever its parent lay', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat({ max: 10 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.nat(),
        (damping, delay, scale, seed) => {
          const from = parentAt(damping, delay);
          const child = childOf(from, seed, scale);
          expect(PATHS.some((path) => numberAt(child, path) !== numberAt(from, path))).toBe(true);
          for (const path of PATHS) {
            expect(numberAt(child, path)).toBeGreaterThanOrEqual(RANGES[path][0]);
            expect(numberAt(child, path)).toBeLessThanOrEqual(RANGES[path][1]);
          }
          expect(Number.isInteger(numberAt(child, 'perturbations.action_delay'))).toBe(true);
        },
      ),
    );
  });

  it('moves each number by one step either way, a whole number by at least 1', () => {
    const [damping, delay] = [0.3, 2];
    const step = SCALE * (RANGES['rules.damping'][1] - RANGES['rules.damping'][0]);
    const children = childrenOf(parentAt(damping, delay));
    const dampings = new Set(children.map((child) => numberAt(child, 'rules.damping')));
    expect(dampings).toEqual(new Set([damping, damping + step, damping - step]));
    const delays = new Set(children.map((child) => numberAt(child, 'perturbations.action_delay')));
    expect(delays).toEqual(new Set([delay, delay + 1, delay - 1]));
  });

  it('moves a number with a probability of one half, and one of them where the coins say none', () => {
    const children = childrenOf(parentAt(0.3, 2));
    const share = children.filter((child) => numberAt(child, 'rules.damping') !== 0.3).length / children.length;
    // ½ by its own coin, and half of the ¼ in which both coins say no.
    const expected = 1 / 2 + 1 / 8;
    const standardError = Math.sqrt((expected * (1 - expected)) / children.length);
    expect(Math.abs(share - expected)).toBeLessThan(4 * standardError);
  });

  it('goes inward from the end of a range', () => {
    const step = SCALE * (RANGES['rules.damping'][1] - RANGES['rules.damping'][0]);
    for (const [edge, inward] of [
      [RANGES['rules.damping'][1], -step],
      [RANGES['rules.damping'][0], step],
    ] as const) {
      const dampings = new Set(childrenOf(parentAt(edge, 2)).map((child) => numberAt(child, 'rules.damping')));
      expect(dampings).toEqual(new Set([edge, edge + inward]));
    }
  });

  it('leaves its parent and everything without a range as it was', () => {
    const before = structuredClone(parent);
    const child = structuredClone(childOf(parent, 1));
    expect(parent).toEqual(before);
    for (const path of PATHS) setNumberAt(child, path, numberAt(parent, path)!);
    expect(child).toEqual(parent);
  });

  it('does not exist where there is nothing to move', () => {
    const ranges = { 'rules.damping': [0.2, 0.2], 'partners.1.epsilon.no_such': [0, 1] } as const;
    expect(editSimulator(parent, { ranges, parameters, scale: SCALE }, new RandomStream(keyFrom(1)))).toBeNull();
  });
});
