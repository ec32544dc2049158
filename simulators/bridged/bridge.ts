import type { ActionArray, ActionSpace } from '../contract.ts';

// Letters: B environments, N seats, G seats of a group, O numbers of its observation, A of its actions, W numbers of an
// action, R rules.

/** What an environment of somebody else is opened with. */
export interface BridgeSettings {
  /** The interface that it has. */
  readonly family: 'pettingzoo' | 'gymnasium';
  /** A module, an id, or `package.module:function`. */
  readonly environment: string;
  /** Arguments that stay the same. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly wrappers: readonly Readonly<Record<string, unknown>>[];
  /** By name, in the order in which `queueReset` takes their numbers. */
  readonly rules: Readonly<Record<string, BridgedRule>>;
}

/** Something of an environment that simulators may change. */
export interface BridgedRule {
  /** Path from the innermost environment to what is set; an argument of the environment where there is none. */
  readonly attribute?: string | undefined;
  readonly integer?: boolean | undefined;
  /** What its numbers 0 … stand for. */
  readonly choices?: readonly RuleValue[] | undefined;
  /** Missing where the environment itself says so. */
  readonly default?: RuleValue | undefined;
}

export type RuleValue = number | string | boolean;

/** What an environment says of itself, once its packages are there and it repeats itself under one seed. */
export interface EnvironmentDescription {
  readonly seats: readonly DescribedSeat[];
  /** Whether some actions are illegal in some states, or seats have to wait for their turn. */
  readonly masked: boolean;
  /** Longest an episode may last; null when it does not say. */
  readonly episode_steps: number | null;
  /** By rule: what it is when nobody says. */
  readonly defaults: Readonly<Record<string, RuleValue>>;
  /** By the first numbers that every seat sees: lowest and highest that was seen in a few random episodes. */
  readonly ranges: readonly (readonly [low: number, high: number])[];
  /** By package: its version, or a hash of what is no package. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface DescribedSeat {
  readonly name: string;
  /** The same for seats that see and may do alike and are called alike. */
  readonly role: string;
  readonly observation: number;
  readonly actions: ActionSpace;
}

/** Sizes of the arrays that two sides of a bridge share. */
export interface BridgedLayout {
  readonly environmentCount: number;
  readonly seatCount: number;
  readonly actionSize: number;
  readonly isBox: boolean;
  readonly groups: readonly {
    readonly seatCount: number;
    readonly observationSize: number;
    readonly actionCount: number;
  }[];
  readonly masked: boolean;
  readonly ruleCount: number;
}

/** B environments on the other side. All arrays are filled by `flush` and `step`, and stay the same arrays. */
export interface RemoteBatch {
  /** Shape [B N]. */
  readonly rewards: Float64Array;
  /** By group, shape [B G O]. */
  readonly observations: readonly Float32Array[];
  /** By group, shape [B G A]; empty where nothing is ever illegal. */
  readonly masks: readonly Uint8Array[];
  /** Shape [B]: whether the episode is over by the task, or was cut off. */
  readonly ended: Uint8Array;
  readonly cut: Uint8Array;
  /** Shape [B N W]: what `step` sends. */
  readonly actions: ActionArray;
  /** Asks for a reset, which `flush` sends with all others. @param rules shape [R] */
  queueReset(environment: number, seed: number, rules: readonly number[]): void;
  /** Asks no more for the reset of an environment that was asked for. */
  unqueueReset(environment: number): void;
  flush(): void;
  step(): void;
  /** After a reset: plays joint actions, shape [N W] each, in one environment. */
  replay(environment: number, actions: readonly (readonly number[])[]): void;
  close(): void;
}

/** Reaches environments that are stepped in another process. Every call returns when that process has answered. */
export interface EnvironmentBridge {
  /** @throws REQUEST_ENVIRONMENT_UNUSABLE with `details` as `EnvironmentRefusal` */
  describe(settings: BridgeSettings): EnvironmentDescription;
  /** @throws WORLD_ENVIRONMENT_FAILED, WORLD_ENVIRONMENT_STALLED, WORLD_ENVIRONMENT_LOST, as do its methods */
  open(settings: BridgeSettings, layout: BridgedLayout): RemoteBatch;
}

/** Why an environment cannot be used. */
export interface EnvironmentRefusal {
  /** Key of `family_options`, e.g. `environment` or `rules.gravity`. */
  readonly key: string;
  readonly found: string;
  readonly expected: string;
  readonly remedy: string;
}
