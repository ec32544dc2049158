// Letters: P parameters of a simulator.

/** One finished episode: what it was played in, and how it went. */
export interface EpisodeSample {
  /** Shape [P]: the compiled simulator, what was drawn for the episode written in. */
  readonly parameters: Float64Array;
  readonly return: number;
  readonly success: boolean;
  /** V(s₀) − Σ γᵗ rₜ − γᵀ V(s_T): how much worse than the critic had expected. */
  readonly shortfall: number;
}
