/** Time (s) over which the present velocity is thought to go on; about the coasting time under the default damping. */
const LOOK_AHEAD_S = 0.4;
/** Where it would come to rest nearer than this (length), it coasts. */
const CLOSE_ENOUGH = 0.1;

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
