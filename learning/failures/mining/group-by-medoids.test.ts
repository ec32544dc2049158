import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Grouped, groupByMedoids } from './group-by-medoids.ts';

/** Different points. */
const points = fc.uniqueArray(fc.tuple(fc.integer({ min: -999, max: 999 }), fc.integer({ min: -999, max: 999 })), {
  minLength: 1,
  maxLength: 14,
  selector: (point) => point.join(),
});
const groupCount = fc.integer({ min: 1, max: 5 });

const medoidsOf = (grouped: readonly Grouped[]) => grouped.flatMap(({ isMedoid }, index) => (isMedoid ? [index] : []));

describe('k-medoids', () => {
  const clusters = [
    [0, 0],
    [100, 101],
    [1, 0],
    [101, 100],
    [0, 1],
    [99, 101],
    [102, 101],
  ];

  it('tells apart what lies apart, groups numbered as they come, one point standing for each', () => {
    const grouped = groupByMedoids(clusters, 2);
    expect(grouped.map(({ group }) => group)).toEqual([0, 1, 0, 1, 0, 1, 1]);
    expect(medoidsOf(grouped)).toHaveLength(2);
  });

  it('finds the medoid of one group: the point with the least sum of distances', () => {
    const line = [[0], [1], [2], [7], [11]];
    expect(medoidsOf(groupByMedoids(line, 1))).toEqual([2]);
  });

  it('makes a group of each point where there are fewer than groups, and of equal ones together', () => {
    expect(groupByMedoids([[1], [5]], 4)).toEqual([
      { group: 0, isMedoid: true },
      { group: 1, isMedoid: true },
    ]);
    expect(groupByMedoids([[1], [1], [5], [1]], 3).map(({ group }) => group)).toEqual([0, 0, 1, 0]);
    expect(groupByMedoids([], 3)).toEqual([]);
    expect(groupByMedoids([[], []], 3)).toEqual([
      { group: 0, isMedoid: true },
      { group: 0, isMedoid: false },
    ]);
  });

  it('gives ties to what comes first', () => {
    expect(medoidsOf(groupByMedoids([[3], [4]], 1))).toEqual([0]);
    expect(groupByMedoids([[0], [1], [2]], 2).map(({ group }) => group)).toEqual(
      groupByMedoids([[0], [1], [2]], 2).map(({ group }) => group),
    );
  });

  it('has at most so many groups, each with one medoid of its own', () => {
    fc.assert(
      fc.property(points, groupCount, (given, groupsMax) => {
        const grouped = groupByMedoids(given, groupsMax);
        const groups = new Set(grouped.map(({ group }) => group));
        expect(groups.size).toBe(Math.min(groupsMax, given.length));
        expect(new Set(medoidsOf(grouped).map((index) => grouped[index]!.group))).toEqual(groups);
        expect(medoidsOf(grouped)).toHaveLength(groups.size);
        expect([...groups]).toEqual([...groups].sort((a, b) => a - b));
      }),
    );
  });

  it('does not ask in which units, or from where, a feature is counted, nor for one that is always the same', () => {
    fc.assert(
      fc.property(points, groupCount, (given, groupsMax) => {
        // Powers of two, so that nothing is rounded otherwise.
        const changed = given.map(([x, y]) => [7, x * 1024, y / 8]);
        expect(groupByMedoids(changed, groupsMax)).toEqual(groupByMedoids(given, groupsMax));
      }),
    );
  });

  it('counts what is not finite as the mean of its column', () => {
    const column = [[0], [NaN], [100], [1], [-Infinity], [101], [50], [49], [Infinity]];
    const filled = column.map(([value]) => [Number.isFinite(value) ? value! : (0 + 100 + 1 + 101 + 50 + 49) / 6]);
    for (const groupsMax of [1, 2, 3])
      expect(groupByMedoids(column, groupsMax)).toEqual(groupByMedoids(filled, groupsMax));
    expect(groupByMedoids(column, 3).map(({ group }) => group)).toEqual([0, 1, 2, 0, 1, 2, 1, 1, 1]);
  });

  it('learns nothing of a feature that is nowhere finite', () => {
    fc.assert(
      fc.property(points, fc.constantFrom(NaN, Infinity, -Infinity), groupCount, (given, value, groupsMax) => {
        const withIt = given.map((point) => [...point, value]);
        expect(groupByMedoids(withIt, groupsMax)).toEqual(groupByMedoids(given, groupsMax));
      }),
    );
  });

  it('does not depend on the order of clear groups', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...clusters.keys()], { minLength: clusters.length }), (order) => {
        const shuffled = groupByMedoids(
          order.map((index) => clusters[index]!),
          2,
        );
        order.forEach((index, place) => {
          const isLeft = clusters[index]![0]! < 50;
          const isFirstLeft = clusters[order[0]!]![0]! < 50;
          expect(shuffled[place]!.group).toBe(isLeft === isFirstLeft ? 0 : 1);
        });
      }),
    );
  });

  it('leaves no exchange of a medoid that would save anything', () => {
    fc.assert(
      fc.property(points, groupCount, (given, groupsMax) => {
        const scaled = scaledSlowly(given);
        const chosen = medoidsOf(groupByMedoids(given, groupsMax));
        const cost = costSlowly(scaled, chosen);
        for (const place of chosen.keys()) {
          for (const point of given.keys()) {
            expect(costSlowly(scaled, chosen.with(place, point))).toBeGreaterThanOrEqual(cost - 1e-9);
          }
        }
      }),
    );
  });
});

function scaledSlowly(given: readonly (readonly number[])[]): number[][] {
  return given.map((point) =>
    point.map((value, dimension) => {
      const column = given.map((each) => each[dimension]!);
      const centre = column.reduce((sum, each) => sum + each, 0) / column.length;
      const variance = column.reduce((sum, each) => sum + (each - centre) ** 2, 0) / column.length;
      return variance === 0 ? 0 : (value - centre) / Math.sqrt(variance);
    }),
  );
}

function costSlowly(given: readonly (readonly number[])[], chosen: readonly number[]): number {
  return given.reduce((sum, point) => {
    const distances = chosen.map((index) => Math.hypot(...point.map((value, axis) => value - given[index]![axis]!)));
    return sum + Math.min(...distances);
  }, 0);
}
