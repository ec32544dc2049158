/** A simulator with every default written out; `SimulatorData` of `simulators/contract.ts` says what each part is. */
interface ResolvedSimulator {
  readonly partners: Readonly<
    Record<string, { readonly kind: 'scripted' | 'self' | 'policy' | 'trained'; readonly name?: string }>
  >;
  readonly rules: Readonly<Record<string, number>>;
  readonly scenarios: Readonly<Record<string, unknown>>;
  readonly rewards: Readonly<Record<string, number>>;
  readonly perturbations: Readonly<Record<string, number>>;
}

export type PanelName = 'train' | 'validation' | 'test';

/** All that can change the result of one run, but its seed. Its hash, with the seed, is the identity of a run. */
export interface ResolvedVariant {
  readonly spec_version: number;
  readonly family: string;
  readonly family_version: string;
  readonly family_options: Readonly<Record<string, unknown>>;
  /** Seats that learn, ascending. */
  readonly learners: readonly number[];
  /** Those that the panels and the strategy name, whether they come from the spec or from the catalogue. */
  readonly simulators: Readonly<Record<string, ResolvedSimulator>>;
  /** Names of simulators; no simulator is in two panels. */
  readonly panels: Readonly<Record<PanelName, readonly string[]>>;
  /** Path of a simulator's parameter → [low, high], both included. */
  readonly randomization: Readonly<Record<string, readonly [low: number, high: number]>>;
  readonly algorithm: ResolvedAlgorithm;
  readonly strategy: { readonly kind: string } & Readonly<Record<string, unknown>>;
  readonly budget: Budget;
  readonly evaluation: Evaluation;
  /** Limits of `relative_gap`. */
  readonly verdict: { readonly watch: number; readonly collapsed: number };
  readonly diversity: Diversity;
}

/** Numbers by the metrics of distance between simulators. */
type ByMetric = Readonly<Record<'trajectory_kl' | 'state_visitation' | 'reward_distribution', number>>;

/** A held-out simulator that is nearer to a training simulator than every floor. */
export interface ClosePair {
  readonly heldout: string;
  readonly train: string;
  readonly distances: ByMetric;
  readonly floors: ByMetric;
}

interface Diversity {
  readonly metric: keyof ByMetric;
  /** Floors that are set; the others are what two seeds of one simulator differ by. No part of a run's identity. */
  readonly floor?: { readonly [Metric in keyof ByMetric]?: number | undefined };
  /** The reason why simulators below the floors were accepted, and which. No part of a run's identity. */
  readonly waiver?: { readonly reason: string; readonly pairs: readonly ClosePair[] };
}

/** `name` is the algorithm's own, aliases replaced; the other keys are the algorithm's parameters. */
export type ResolvedAlgorithm = {
  readonly name: string;
  readonly parallel_environments: number;
  readonly rollout_steps: number;
} & Readonly<Record<string, unknown>>;

interface Budget {
  /** Joint steps of one environment asked for; the schedule rounds them to whole update blocks. */
  readonly env_steps: number;
  readonly rounds: number;
  readonly count: 'training' | 'all';
}

interface Evaluation {
  /** Evaluated are round 0, every so many completed rounds, and the last. */
  readonly every_rounds: number;
  /** Episodes on each simulator. */
  readonly episodes: number;
  readonly final_episodes: number;
  /** Groups of 8 episodes that measure behaviour; missing in documents of the time before this could be said: 32. */
  readonly behaviour_groups?: number;
  /** Episodes of the random policy on each simulator; missing in documents of the time before this could be said: 320. */
  readonly reference_episodes?: number;
  readonly policy_mode: 'deterministic' | 'sampled';
  readonly seed: number;
}

/** What may go wrong with an attempt and be tried again. */
export type RetryClass = 'error' | 'lost' | 'out_of_memory' | 'timeout' | 'stalled';

type TimeoutName = 'round' | 'run' | 'stall';

/** A tracker that is told of every round. */
export interface Mirror {
  readonly kind: MirrorKind;
  readonly url: string;
  /** Name of the experiment there; absent for that of the experiment. */
  readonly experiment?: string | undefined;
}

export type MirrorKind = 'mlflow';

/** How runs are carried out. Nothing here can change a result. */
export interface Execution {
  readonly device: 'cpu' | 'cuda';
  readonly max_concurrent_runs: number;
  readonly sampler_processes: number | 'auto';
  /** Limit of resident memory of the training process of one run. */
  readonly memory_mib: number;
  /** 1 is the most urgent, 5 the least. */
  readonly priority: number;
  /** `stop`: once a run has failed for good no further run is started. */
  readonly on_failure: 'continue' | 'stop';
  readonly require_fingerprint: boolean;
  /** Who is told when all runs are over; absent for nobody. */
  readonly notify?: { readonly url: string; readonly on: 'end' | 'failure' } | undefined;
  /** Trackers that are told of every round; absent for none. */
  readonly mirrors?: readonly Mirror[] | undefined;
  /** As written, e.g. "10m". */
  readonly timeouts: Readonly<Record<TimeoutName, string>>;
  /** The same in milliseconds. */
  readonly timeouts_ms: Readonly<Record<TimeoutName, number>>;
  /** Attempts after the first, for each round and class. */
  readonly retries: Readonly<Record<RetryClass, number>>;
}

export type SpecialistKind = 'each' | 'panel';

/** An experiment with every default written out. */
export interface ResolvedExperiment {
  readonly name: string;
  readonly description: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The form it was written in. */
  readonly source_form: 'native' | 'batch' | 'pool';
  readonly variants: Readonly<Record<string, ResolvedVariant>>;
  /**
   * The variants among them that `specialists` of the spec asked for, by name: `each` trains on one test simulator,
   * `panel` on a whole test panel.
   */
  readonly specialists: Readonly<Record<string, SpecialistKind>>;
  readonly seeds: readonly number[];
  readonly execution: Execution;
  /** Relative to the folder of the spec file. */
  readonly output_dir: string;
  /** Of all variants with their names: two experiments of equal hash have equal result rows for equal seeds. */
  readonly result_hash: string;
  /** Variant name → hash of its content alone. */
  readonly variant_hashes: Readonly<Record<string, string>>;
}
