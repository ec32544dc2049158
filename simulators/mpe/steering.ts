/**
 * Time (s) over which the present velocity is thought to go on, and the distance (length) from the target at which it
 * coasts. Of the pairs 0.2 … 0.5 and 0.05 … 0.2 this one gets three movers with a landmark each nearest to the optimum
 * over dampings of 0.1, 0.25 and 0.5 together (team returns −30.5, −32.0, −39.7; the optimum is about −24 at 0.25).
 */
const LOOK_AHEAD_S = 0.3;
const CLOSE_ENOUGH = 0.05;

/**
 * The action, 0 … 4, of a scripted mover: a PD controller with the five actions. It predicts where it would come to rest
 * and pushes along the axis on which that is farther from the target.
 *
 * @param toX, toY from the agent to its target (length)
 * @param velocityX, velocityY of the agent (length/s)
 */
export function steer(toX: number, toY: number, velocityX: number, velocityY: number): number {
  const missX = toX - velocityX * LOOK_AHEAD_S;
  const missY = toY - velocityY * LOOK_AHEAD_S;
  if (Math.abs(missX) >= Math.abs(missY)) {
    if (Math.abs(missX) < CLOSE_ENOUGH) return 0;
    return missX < 0 ? 1 : 2;
  }
  if (Math.abs(missY) < CLOSE_ENOUGH) return 0;
  return missY < 0 ? 3 : 4;
}
