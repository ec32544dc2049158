import type { VariantHistory } from './history.ts';

/** One measured fact behind a diagnosis. */
export interface EvidenceItem {
  readonly what: string;
  /** Null: not measured. */
  readonly value: number | string | null;
  /** Empty for plain words. */
  readonly unit: string;
  /** What the value is held against. */
  readonly limit?: number;
}

export interface Finding {
  /** `unknown`: what it takes was not measured; the headline says what. */
  readonly found: 'yes' | 'no' | 'unknown';
  /** One sentence with its numbers, for somebody who sees this for the first time. */
  readonly headline: string;
  readonly evidence: readonly EvidenceItem[];
  /** What helps in this variant, where that is another thing than the problem's remedy. */
  readonly remedy?: string;
}

/** A problem that runs are known to have: its sign, how it is recognised, and what helps. */
export interface KnownProblem {
  readonly id: string;
  readonly sign: string;
  readonly remedy: string;
  /** Pure: looks at nothing but the history. */
  examine(history: VariantHistory): Finding;
}

export interface Diagnosis extends Finding {
  readonly id: string;
  readonly remedy: string;
}

/** A problem that cannot be told, and why. */
export function unknown(why: string, evidence: readonly EvidenceItem[] = []): Finding {
  return { found: 'unknown', headline: why, evidence };
}
