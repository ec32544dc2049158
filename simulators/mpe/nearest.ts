/**
 * Distance from a point to the nearest of the points `first` … `end` − 1, but for one of them; Infinity without any.
 * @param except index of the point that does not count, −1 for none
 */
export function nearestDistance(
  atX: number,
  atY: number,
  x: Float64Array,
  y: Float64Array,
  first: number,
  end: number,
  except: number,
): number {
  let squared = Infinity;
  for (let index = first; index < end; index += 1) {
    if (index === except) continue;
    const deltaX = x[index]! - atX;
    const deltaY = y[index]! - atY;
    squared = Math.min(squared, deltaX * deltaX + deltaY * deltaY);
  }
  return Math.sqrt(squared);
}
