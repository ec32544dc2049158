import type { ActionArray, Batch, Parameter, StateFeature } from '../contract.ts';
import { ParameterColumns } from '../parameter-columns.ts';
import { foldIn, type Key, PURPOSE, RandomStream } from '../random.ts';
import type { BridgedLayout, DescribedSeat, RemoteBatch } from './bridge.ts';
import { ActionHistory } from './history.ts';
import { SEED_DRAWN, START_SEED_PATH } from './parameters.ts';
import { type ActingSeat, Partners } from './partners.ts';
import type { BridgedState } from './simulator-data.ts';

// Letters: B environments, N seats, G seats of a group, O numbers of its observation, A of its actions, W numbers of an
// action, F state features, R rules, P parameters.

/** What a batch knows of its world. */
export interface BridgedWorld {
  readonly layout: BridgedLayout;
  /** Rules come first. Shape [P]. */
  readonly parameters: readonly Parameter[];
  readonly seats: readonly DescribedSeat[];
  /** By seat: its group, and its place in it. */
  readonly places: readonly (readonly [group: number, place: number])[];
  readonly features: readonly (StateFeature & { readonly index: number })[];
  readonly episodeStepsMax: number;
}

/**
 * Environments on the other side of a bridge, with what Thaw adds on this side: scripted partners, perturbations, the
 * longest an episode may last, and actions that are legal. Resets are collected and sent together, when somebody looks
 * or steps.
 */
export class BridgedBatch implements Batch {
  readonly environmentCount: number;
  readonly external: Uint8Array;
  readonly actions: ActionArray;
  readonly rewards: Float64Array;
  readonly ended: Uint8Array;
  readonly truncated: Uint8Array;
  readonly success: Uint8Array;
  readonly actionMask?: (group: number, out: Uint8Array) => void;
  private readonly world: BridgedWorld;
  private readonly remote: RemoteBatch;
  private readonly columns: ParameterColumns;
  private readonly partners: Partners;
  private readonly history: ActionHistory;
  private readonly rules: number[];
  private readonly noise: Float64Array;
  private readonly stickiness: Float64Array;
  private readonly startSeed: Float64Array;
  /** Shape [B]. */
  private readonly seeds: Int32Array;
  private readonly steps: Int32Array;
  private readonly keyHigh: Int32Array;
  private readonly keyLow: Int32Array;
  private readonly stream = new RandomStream({ high: 0, low: 0 });

  constructor(world: BridgedWorld, remote: RemoteBatch) {
    const { environmentCount, seatCount, actionSize, isBox, masked, ruleCount } = world.layout;
    this.world = world;
    this.remote = remote;
    this.environmentCount = environmentCount;
    this.external = new Uint8Array(environmentCount * seatCount);
    const actionNumbers = environmentCount * seatCount * actionSize;
    this.actions = isBox ? new Float32Array(actionNumbers) : new Int32Array(actionNumbers);
    this.rewards = remote.rewards;
    this.ended = new Uint8Array(environmentCount);
    this.truncated = new Uint8Array(environmentCount);
    this.success = new Uint8Array(environmentCount);
    this.columns = new ParameterColumns(environmentCount, world.parameters);
    this.partners = new Partners(
      world.seats.map(({ actions }) => actions),
      this.columns,
    );
    this.history = new ActionHistory(environmentCount, seatCount * actionSize);
    this.rules = new Array<number>(ruleCount).fill(0);
    this.noise = this.columns.column('perturbations.observation_noise');
    this.stickiness = this.columns.column('perturbations.sticky_actions');
    this.startSeed = this.columns.column(START_SEED_PATH);
    this.seeds = new Int32Array(environmentCount);
    this.steps = new Int32Array(environmentCount);
    this.keyHigh = new Int32Array(environmentCount);
    this.keyLow = new Int32Array(environmentCount);
    if (masked) this.actionMask = (group, out) => this.tellMask(group, out);
  }

  reset(environment: number, parameters: Float64Array, key: Key): void {
    const { seatCount, actionSize } = this.world.layout;
    this.columns.load(environment, parameters);
    this.keyHigh[environment] = key.high;
    this.keyLow[environment] = key.low;
    const given = this.startSeed[environment]!;
    // Seeds of Python are whole numbers from 0, and those of NumPy have 32 bits at most.
    const seed = given === SEED_DRAWN ? foldIn(key, PURPOSE.bridgedEnvironment).low >>> 1 : given;
    this.begin(environment, seed);
    this.actions.fill(0, environment * seatCount * actionSize, (environment + 1) * seatCount * actionSize);
    for (let seat = 0; seat < seatCount; seat += 1) {
      this.external[environment * seatCount + seat] = this.partners.isScripted(environment, seat) ? 0 : 1;
    }
    for (let rule = 0; rule < this.rules.length; rule += 1) this.rules[rule] = parameters[rule]!;
    this.remote.queueReset(environment, seed, this.rules);
  }

  place(environment: number, start: unknown): void {
    const { seed, actions } = start as BridgedState;
    this.begin(environment, seed);
    this.world.parameters.slice(0, this.rules.length).forEach(({ path }, rule) => {
      this.rules[rule] = this.columns.column(path)[environment]!;
    });
    this.remote.queueReset(environment, seed, this.rules);
    this.remote.flush();
    if (actions.length === 0) return;
    this.remote.replay(environment, actions);
    for (const joint of actions) this.history.add(environment, joint, 0);
    this.steps[environment] = actions.length;
    const last = actions.at(-1)!;
    this.actions.set(last, environment * last.length);
  }

  step(actions: ActionArray): void {
    this.remote.flush();
    this.choose(actions);
    this.remote.actions.set(this.actions);
    this.remote.step();
    const { environmentCount, steps, remote } = this;
    const jointSize = this.actions.length / environmentCount;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      steps[environment]! += 1;
      this.history.add(environment, this.actions, environment * jointSize);
      const isEnded = remote.ended[environment] === 1;
      const isCut = remote.cut[environment] === 1 || steps[environment]! >= this.world.episodeStepsMax;
      this.ended[environment] = isEnded ? 1 : 0;
      this.truncated[environment] = isCut && !isEnded ? 1 : 0;
    }
  }

  observe(group: number, out: Float32Array | Float64Array): void {
    this.remote.flush();
    out.set(this.remote.observations[group]!);
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      if (this.noise[environment] !== 0) this.blur(environment, group, out);
    }
  }

  observeFeatures(out: Float64Array): void {
    this.remote.flush();
    const { features, places, layout } = this.world;
    let target = 0;
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      for (const [group, place] of places) {
        const { seatCount, observationSize } = layout.groups[group]!;
        const first = (environment * seatCount + place) * observationSize;
        const observations = this.remote.observations[group]!;
        for (const { index } of features) out[target++] = observations[first + index]!;
      }
    }
  }

  state(environment: number): Readonly<Record<string, unknown>> {
    const { features, layout } = this.world;
    const all = new Float64Array(this.environmentCount * layout.seatCount * features.length);
    this.observeFeatures(all);
    const first = environment * layout.seatCount * features.length;
    const told: BridgedState = {
      seed: this.seeds[environment]!,
      actions: this.history.of(environment),
      features: Array.from({ length: layout.seatCount }, (_, seat) => {
        const at = first + seat * features.length;
        return [...all.subarray(at, at + features.length)];
      }),
    };
    return { ...told };
  }

  rest(environment: number): void {
    this.remote.unqueueReset(environment);
  }

  close(): void {
    this.remote.close();
  }

  private begin(environment: number, seed: number): void {
    this.seeds[environment] = seed;
    this.steps[environment] = 0;
    this.ended[environment] = 0;
    this.truncated[environment] = 0;
    this.history.clear(environment);
  }

  /** Fills `actions` with what every seat does: a script, what it did before, what was given, or what is legal. */
  private choose(given: ActionArray): void {
    const { seatCount, actionSize, masked } = this.world.layout;
    for (let environment = 0; environment < this.environmentCount; environment += 1) {
      for (let seat = 0; seat < seatCount; seat += 1) {
        const at = (environment * seatCount + seat) * actionSize;
        const mask = masked ? this.maskOf(environment, seat) : null;
        if (this.external[environment * seatCount + seat] === 0) {
          this.partners.act(this.acting(environment, seat), mask, this.actions, at);
        } else if (!this.sticks(environment, seat)) {
          for (let index = at; index < at + actionSize; index += 1) this.actions[index] = given[index]!;
        }
        if (mask !== null && mask[this.actions[at]!] !== 1) this.actions[at] = mask.indexOf(1);
      }
    }
  }

  private acting(environment: number, seat: number): ActingSeat {
    const { steps, keyHigh, keyLow } = this;
    return {
      ...{ environment, seat, step: steps[environment]! },
      ...{ keyHigh: keyHigh[environment]!, keyLow: keyLow[environment]! },
    };
  }

  private sticks(environment: number, seat: number): boolean {
    const probability = this.stickiness[environment]!;
    if (probability === 0 || this.steps[environment] === 0) return false;
    this.seek(environment, PURPOSE.stickyAction, seat);
    return this.stream.nextUniform() < probability;
  }

  private blur(environment: number, group: number, out: Float32Array | Float64Array): void {
    const { seatCount, observationSize } = this.world.layout.groups[group]!;
    const deviation = this.noise[environment]!;
    const seats = this.world.places.flatMap(([of, place], seat) => (of === group ? [[place, seat] as const] : []));
    for (const [place, seat] of seats) {
      this.seek(environment, PURPOSE.observationNoise, seat);
      const first = (environment * seatCount + place) * observationSize;
      for (let index = first; index < first + observationSize; index += 1) {
        out[index]! += deviation * this.stream.nextNormal();
      }
    }
  }

  /** To the chance of a seat in this step. */
  private seek(environment: number, purpose: number, seat: number): void {
    this.stream.rekeyFolded(this.keyHigh[environment]!, this.keyLow[environment]!, purpose);
    this.stream.seek(this.steps[environment]! * this.world.layout.seatCount + seat);
  }

  private maskOf(environment: number, seat: number): Uint8Array {
    const [group, place] = this.world.places[seat]!;
    const { seatCount, actionCount } = this.world.layout.groups[group]!;
    const first = (environment * seatCount + place) * actionCount;
    return this.remote.masks[group]!.subarray(first, first + actionCount);
  }

  private tellMask(group: number, out: Uint8Array): void {
    this.remote.flush();
    out.set(this.remote.masks[group]!);
  }
}
