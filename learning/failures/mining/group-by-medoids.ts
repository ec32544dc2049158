// Letters: n points, D numbers of a point, k groups.

export interface Grouped {
  /** Groups are numbered in the order in which their first points come. */
  readonly group: number;
  /** Whether the point stands for its group. */
  readonly isMedoid: boolean;
}

/**
 * Groups points by k-medoids (PAM): medoids are added one by one where they save most, then exchanged with other points
 * as long as that saves something. The cost is the sum of the distances of all points to their nearest medoid, distances
 * are Euclidean over features scaled to a standard deviation of 1, so units do not matter. No chance is involved: ties
 * go to the point, and to the medoid, that comes first.
 *
 * Fewer groups come of fewer different points. O(k² n²) for every exchange, for a few dozen points.
 * @param points shape [n D]
 * @param groupsMax k, at least 1
 * @source Kaufman and Rousseeuw: Finding Groups in Data (1990), chapter 2
 */
export function groupByMedoids(points: readonly (readonly number[])[], groupsMax: number): Grouped[] {
  const distances = distancesBetween(standardized(points));
  const medoids = exchangeMedoids(distances, firstMedoids(distances, groupsMax));
  const nearest = distances.map((row, point) => {
    // Of equal points only one can be a medoid, and it is of its own group.
    const own = medoids.indexOf(point);
    return own >= 0 ? own : nearestOf(row, medoids);
  });
  const numbers = [...new Set(nearest)];
  return nearest.map((medoid, point) => ({ group: numbers.indexOf(medoid), isMedoid: medoids[medoid] === point }));
}

/**
 * Features less their means, divided by their standard deviations; one that is constant says nothing: 0. So does a number
 * that is not finite, which counts as the mean of the others: one NaN would make all distances of its point NaN.
 */
function standardized(points: readonly (readonly number[])[]): number[][] {
  const dimensions = points[0]?.length ?? 0;
  const scaled = points.map((point) => [...point]);
  for (let dimension = 0; dimension < dimensions; dimension += 1) {
    const column = points.map((point) => point[dimension]!);
    const known = column.filter(Number.isFinite);
    const centre = known.reduce((sum, value) => sum + value, 0) / known.length;
    const spread = Math.sqrt(known.reduce((sum, value) => sum + (value - centre) ** 2, 0) / known.length);
    // The spread of equal numbers need not be 0, for their mean is rounded.
    const varies = spread > 0 && Number.isFinite(spread) && known.some((value) => value !== known[0]);
    column.forEach((value, index) => {
      scaled[index]![dimension] = varies && Number.isFinite(value) ? (value - centre) / spread : 0;
    });
  }
  return scaled;
}

/** Shape [n n]. */
function distancesBetween(points: readonly (readonly number[])[]): number[][] {
  return points.map((one) =>
    points.map((other) => Math.sqrt(one.reduce((sum, value, index) => sum + (value - other[index]!) ** 2, 0))),
  );
}

function firstMedoids(distances: readonly (readonly number[])[], groupsMax: number): number[] {
  const medoids: number[] = [];
  let cost = Infinity;
  while (medoids.length < Math.min(groupsMax, distances.length) && cost > 0) {
    const best = cheapest(distances.map((_, point) => costOf(distances, [...medoids, point])));
    medoids.push(best.index);
    cost = best.cost;
  }
  return medoids;
}

function exchangeMedoids(distances: readonly (readonly number[])[], first: readonly number[]): readonly number[] {
  let medoids = first;
  let cost = costOf(distances, medoids);
  for (;;) {
    const exchanges = medoids.flatMap((_, place) => distances.map((__, point) => medoids.with(place, point)));
    if (exchanges.length === 0) return medoids;
    const best = cheapest(exchanges.map((exchange) => costOf(distances, exchange)));
    // Rounding must not let two ways to the same cost take turns for ever.
    if (!(best.cost < cost * (1 - ROUNDING))) return medoids;
    medoids = exchanges[best.index]!;
    cost = best.cost;
  }
}

const ROUNDING = 1e-12;

function costOf(distances: readonly (readonly number[])[], medoids: readonly number[]): number {
  return distances.reduce((sum, row) => sum + Math.min(...medoids.map((medoid) => row[medoid]!)), 0);
}

function cheapest(costs: readonly number[]): { index: number; cost: number } {
  const cost = Math.min(...costs);
  return { index: costs.indexOf(cost), cost };
}

/** Place of the nearest medoid. */
function nearestOf(row: readonly number[], medoids: readonly number[]): number {
  return cheapest(medoids.map((medoid) => row[medoid]!)).index;
}
