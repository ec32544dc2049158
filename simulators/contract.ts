import type { z } from 'zod';
import type { Drawing, View } from './drawing.ts';
import type { Key } from './random.ts';

// Letters: B parallel environments, N seats, G seats of one group, O observation features and A actions of that
// group, F state features, P parameters, W numbers of an action (1, or those of a box; the same for all seats of a world).

export type ActionSpace =
  | { readonly kind: 'discrete'; readonly count: number }
  | { readonly kind: 'box'; readonly low: readonly number[]; readonly high: readonly number[] };

/** Actions of seats: the index of a discrete action, or the numbers of a box, one after the other. */
export type ActionArray = Int32Array | Float32Array;

/** A run of neighbouring entries of an observation. */
export interface ObservationPart {
  readonly name: string;
  /** Present where it tells of the other agents and not of the seat itself or of the place. */
  readonly ofOthers?: true;
  readonly offset: number;
  readonly length: number;
  readonly unit: string;
}

/** Seats with the same role see, may do and are rewarded alike, so one network can serve them all. */
export interface SeatGroup {
  readonly role: string;
  readonly seats: readonly number[];
  readonly observationSize: number;
  readonly observation: readonly ObservationPart[];
  readonly actions: ActionSpace;
  /** The world's `scriptedReference` for these seats, where their role has another than the first group. */
  readonly scriptedReference?: string;
  /** Present where some actions are illegal in some states; given all the same, they act as 0. See `Batch.actionMask`. */
  readonly masked?: true;
}

/** One number of a simulator, addressed by the path that specs and randomization ranges use, e.g. `rules.damping`. */
export interface Parameter {
  readonly path: string;
  readonly kind: 'real' | 'integer' | 'choice';
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  /** What it is, in a sentence. */
  readonly summary: string;
  /** What the numbers `low` … `high` of a choice stand for, as specs write them. Present when `kind` is `choice`. */
  readonly choices?: readonly string[];
}

/** One number per seat that histograms of visited states are made of. */
export interface StateFeature {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly bins: number;
}

/**
 * Whoever holds a seat that does not learn. `scripted` partners act inside the batch, the others from outside: `self` is
 * the learners' current policy, `policy` one that was stored, `trained` one that a strategy trains along.
 */
export interface PartnerData {
  readonly kind: 'scripted' | 'self' | 'policy' | 'trained';
  readonly name?: string;
}

/** A simulator as data, every default written out. Families extend it; these keys are common. */
export interface SimulatorData {
  /** Seat index (as text, because JSON keys are text) → partner. A seat that is missing is driven from outside. */
  readonly partners: Readonly<Record<string, PartnerData>>;
  readonly rules: Readonly<Record<string, number>>;
  readonly scenarios: Readonly<Record<string, unknown>>;
  readonly rewards: Readonly<Record<string, number>>;
  readonly perturbations: Readonly<Record<string, number>>;
}

/** What a family is, in words (Markdown). Its page in `docs/simulators/` is made of this and of what its world declares. */
export interface FamilyCard {
  readonly state: string;
  /** What each action does, by its number. */
  readonly actions: readonly string[];
  readonly rewards: string;
  /** When an episode ends and when it is truncated, and what success is. */
  readonly ends: string;
  readonly start: string;
  /** What each scripted policy does, by its name. */
  readonly policies: Readonly<Record<string, string>>;
  /** Returns of random and of scripted players, to compare others with. */
  readonly returns: string;
  /** How to read a picture of it; plain text. */
  readonly picture: string;
  readonly source: string;
}

/** The code of a world. Registered by name in `simulators/registry.ts`. */
export interface Family {
  readonly name: string;
  /** Changes when any number a simulator produces can change; part of every simulator's identity. */
  readonly version: string;
  readonly summary: string;
  readonly card: FamilyCard;
  /** Schema of `family_options`; its output has every default written out. */
  readonly optionsSchema: z.ZodType<Readonly<Record<string, unknown>>>;
  /**
   * A world that stands for one that cannot be opened, so that the rest of a spec can be checked. Present where options
   * have no default, because they name an environment outside of this process.
   */
  readonly placeholder?: World;
  /** @param options output of `optionsSchema` */
  open(options: Readonly<Record<string, unknown>>): World;
}

/** A family with its options applied: everything about it is now fixed but the simulator. */
export interface World {
  readonly family: string;
  readonly version: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seatCount: number;
  readonly groups: readonly SeatGroup[];
  /** Whether an episode's return is the sum over all seats; otherwise it is the mean over the learners present. */
  readonly cooperative: boolean;
  readonly episodeStepsMax: number;
  readonly hasSuccess: boolean;
  /** How many episodes tell simulators apart, where the usual number would take too long. */
  readonly probeEpisodes?: number;
  /**
   * Steps from an action that takes effect at once to the first reward that depends on it: 0 for that of its own step.
   * Missing where batches have no `counterfactualRewards`.
   */
  readonly rewardLag?: number;
  readonly features: readonly StateFeature[];
  /** Names of the features that tell where a seat is. */
  readonly positionFeatures: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly scriptedPolicies: readonly string[];
  /** The scripted policy that stands for "a sensible player" where distances and references need one. */
  readonly scriptedReference: string;
  /** Schema of one simulator in a spec; its output is a `SimulatorData` with every default written out. */
  readonly simulatorSchema: z.ZodType<SimulatorData>;
  /** Schema of a start for `rollout --start`. */
  readonly startSchema: z.ZodType;
  /** Built-in simulators by name, as they would be written in a spec. */
  readonly catalogue: Readonly<Record<string, CatalogueEntry>>;
  /** Turns a simulator into its parameter vector, shape [P], in the order of `parameters`. */
  compile(simulator: SimulatorData): Float64Array;
  createBatch(environmentCount: number): Batch;
  /** What a picture shows at least. Every start lies within; in a plane without walls what moves may leave it. */
  readonly view: View;
  /**
   * A picture of a state.
   * @param state as `Batch.state` tells it
   * @param rules of the simulator: they say how large things are
   */
  draw(state: Readonly<Record<string, unknown>>, rules: SimulatorData['rules']): Drawing;
}

export interface CatalogueEntry {
  readonly summary: string;
  readonly simulator: Readonly<Record<string, unknown>>;
}

/**
 * B environments stepped together, as a struct of arrays. `reset`, `step` and `observe` fill given arrays and allocate
 * nothing. Every environment may hold another simulator.
 */
export interface Batch {
  readonly environmentCount: number;
  /** Shape [B N]: 1 where the seat's action is taken from the caller, 0 where a scripted partner acts. */
  readonly external: Uint8Array;
  /**
   * Shape [B N W]: what every seat did in the last step, scripted ones included; of seats driven from outside what took
   * effect. Of the kind that `step` takes.
   */
  readonly actions: ActionArray;
  /** Shape [B N]: rewards of the last step. */
  readonly rewards: Float64Array;
  /** Shape [B]: 1 when the last step ended the episode by the task's own rules (no bootstrap). */
  readonly ended: Uint8Array;
  /** Shape [B]: 1 when the last step reached `episodeStepsMax` (bootstrap). */
  readonly truncated: Uint8Array;
  /**
   * Shape [B]: 1 when the state now fulfils the success criterion; all 0 when the family has none. A criterion may be
   * about the episode so far ("at least one catch"): then it stays 1 once it is.
   */
  readonly success: Uint8Array;
  /**
   * Starts an episode in one environment.
   * @param parameters shape [P], copied: a compiled simulator, possibly with draws of a randomization written into it;
   *   whole numbers where the parameter is an integer or a choice
   * @param key every random number of the episode is a function of this key and the step
   */
  reset(environment: number, parameters: Float64Array, key: Key): void;
  /** Replaces the state of an environment after `reset`. @param start output of `startSchema` */
  place(environment: number, start: unknown): void;
  /**
   * Advances every environment by one joint step.
   * @param actions shape [B N W], see `createActions`; entries of scripted seats are ignored
   */
  step(actions: ActionArray): void | Promise<void>;
  /** Fills `out`, shape [B G O], with what the seats of a group see now, perturbations included. */
  observe(group: number, out: Float32Array | Float64Array): void;
  /**
   * Fills `out`, shape [B G A], with 1 where a seat of a group may do an action now. An illegal action acts as action 0,
   * which is legal always. Batches of families with a masked group have this, the others need not.
   */
  actionMask?(group: number, out: Uint8Array): void;
  /** Fills `out`, shape [B N F]. */
  observeFeatures(out: Float64Array): void;
  /**
   * Fills `rewards`, shape [B N], with those in which the actions of the coming step first show, if one seat did the
   * default action 0 (of a box: all 0) instead of its own. That is `World.rewardLag` steps after the coming one, and where
   * actions are delayed as many more; chance is that of the real steps; where the episode is over before, they are 0.
   * Nothing changes. For worlds with a `rewardLag`.
   * @param seat whose action is replaced; null for nobody's
   * @param actions shape [B N W], as `step` would take them
   */
  counterfactualRewards?(seat: number | null, actions: ActionArray, rewards: Float64Array): void;
  /**
   * Called after a reset, of an environment that stands there to fill a block and that nobody looks at: it need not be
   * played until its next reset. Batches whose steps cost much have this.
   */
  rest?(environment: number): void;
  /** Frees what a batch holds outside of this process, if it does. Nothing else is called afterwards. */
  close?(): void;
  /** The state of one environment as plain data, in the form that `startSchema` accepts (a superset of it). */
  state(environment: number): Readonly<Record<string, unknown>>;
}
