import { mean } from '../statistics/moments.ts';
import type { SensitivityChange } from './sensitivity-changes.ts';

// Letters: S simulators of the pool, C simulators of the changed pool, E episodes of one of them.

/** What a policy loses when one thing about its training pool is different. */
export interface SensitivityRow {
  readonly kind: SensitivityChange['kind'];
  readonly name: string;
  readonly factor: number | null;
  /** Of all simulators together. */
  readonly episodes: number;
  /** By the weights of the pool. */
  readonly returnMean: number;
  /** Return given up against the unchanged pool, as a share of R − r; negative for a gain, NaN when untrained. */
  readonly loss: number;
  /** Null of everything but a ±5 % change of a rule, and when untrained. */
  readonly isCliff: boolean | null;
}

export interface SensitivityMeasurement {
  readonly change: SensitivityChange;
  /** Shape [C][E]: returns on the simulators of the change, in their order. */
  readonly returns: readonly (readonly number[])[];
  /** Shape [S][≥ E]: the policy's returns on the unchanged pool under the same seeds; the first E of them are compared. */
  readonly pool: readonly { readonly weight: number; readonly returns: readonly number[] }[];
  /** R − r on the unchanged pool, in units of return. */
  readonly gain: number;
  /** `isTrained` of the unchanged pool. */
  readonly isTrained: boolean;
}

/** A change of a rule by so little that losing much by it is a cliff, and what much is. */
const CLIFF_CHANGE = 0.05;
const CLIFF_LOSS = 0.1;

/**
 * One point of the perturbation curve, or of the sweep over partners.
 *
 *     loss  = (R(pool) − R(changed pool)) / (R(pool) − r)
 *     cliff = a rule scaled by 0.95 or 1.05 ∧ loss > 0.1
 *
 * Both returns are means over the same episode seeds, by the weights of the pool.
 *
 * @source ours
 */
export function sensitivityRow(measurement: SensitivityMeasurement): SensitivityRow {
  const { change, returns, pool, gain, isTrained } = measurement;
  const { kind, name, factor } = change;
  const episodes = Math.min(...returns.map(({ length }) => length));
  const returnMean = weightedMean(change.simulators.map(({ weight }, index) => ({ weight, returns: returns[index]! })));
  const unchanged = weightedMean(pool.map(({ weight, returns: all }) => ({ weight, returns: all.slice(0, episodes) })));
  const loss = isTrained ? (unchanged - returnMean) / gain : NaN;
  const isSmall = factor !== null && Math.abs(Math.abs(factor - 1) - CLIFF_CHANGE) < 1e-9;
  return {
    kind,
    name,
    factor,
    episodes: returns.reduce((sum, { length }) => sum + length, 0),
    returnMean,
    loss,
    isCliff: isSmall && isTrained ? loss > CLIFF_LOSS : null,
  };
}

function weightedMean(entries: SensitivityMeasurement['pool']): number {
  const total = entries.reduce((sum, { weight }) => sum + weight, 0);
  return entries.reduce((sum, { weight, returns }) => sum + weight * mean(returns), 0) / total;
}
