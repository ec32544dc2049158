/** How often and how soon a service that died is started again. */
export interface RestartPolicy {
  /** Only deaths within this window count. */
  readonly windowMs: number;
  /** More deaths than this within the window, and it is given up. */
  readonly restartsMax: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

/** Ten tries in a minute: patient with a machine under load, and short enough to report a service that cannot run. */
export const RESTART_POLICY: RestartPolicy = {
  windowMs: 60_000,
  restartsMax: 10,
  firstDelayMs: 100,
  longestDelayMs: 5_000,
};

/**
 * firstDelayMs · 2^(n−1), at most longestDelayMs, where n counts the deaths within the window; null when n > restartsMax.
 *
 * @param deathTimesMs times of all deaths so far, the present one included, by a clock that is never set
 */
export function restartDelayMs(deathTimesMs: readonly number[], nowMs: number, policy: RestartPolicy): number | null {
  const recent = deathTimesMs.filter((deathMs) => deathMs > nowMs - policy.windowMs).length;
  if (recent > policy.restartsMax) return null;
  return Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** Math.max(0, recent - 1));
}
