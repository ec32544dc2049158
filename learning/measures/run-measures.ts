import { areaUnderCurve, roughness, type CurvePoint } from './learning-curve.ts';
import { riseThenFall, type EvaluatedRound } from './rise-then-fall.ts';

/** What the evaluated rounds of a run say together of its held-out returns; null where nothing is held out. */
export interface RunMeasures {
  readonly riseThenFall: boolean | null;
  /** Held-out return lost since the best evaluated round, see `riseThenFall`. */
  readonly fall: number | null;
  /** Mean of the curve over env steps. */
  readonly auc: number | null;
  readonly roughness: number | null;
}

/** @param randomReturn of the test panel; null where nothing is held out */
export function runMeasures(
  rounds: readonly EvaluatedRound[],
  curve: readonly CurvePoint[],
  randomReturn: number | null,
): RunMeasures {
  if (randomReturn === null) return { riseThenFall: null, fall: null, auc: null, roughness: null };
  const fallen = riseThenFall(rounds, randomReturn);
  return {
    riseThenFall: fallen?.found ?? null,
    fall: fallen?.fall ?? null,
    auc: areaUnderCurve(curve),
    roughness: roughness(curve),
  };
}
