import {
  DISTANCE_METRICS,
  distanceBetween,
  type DistanceMetric,
  type Distances,
  visitationReaches,
} from '../learning/distances/distances.ts';
import {
  areMeasuredTooClose,
  defaultFloors,
  type DistanceFloors,
  floorsOfPair,
  STATE_VISITATION_FLOOR,
} from '../learning/distances/floors.ts';
import {
  joinProbes,
  PROBE_EPISODES,
  type ProbeOptions,
  probeSimulator,
  type SimulatorProbe,
} from '../learning/distances/probe.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { simulatorHash } from './identity.ts';

/** Of all episodes of a probe, those that are played first: the rest is needed only for simulators that are hardly told apart. */
const OPENING_SHARE = 1 / 4;
/** Fixed, so that the distance between two simulators is the same in every experiment. */
const PROBE_SEED = 0;
/** Simulators whose probes are kept; one of three seats takes 140 kB. */
const KEPT_MAX = 128;

/** Simulators probed before, by all that a probe depends on. One costs milliseconds, and specs are read again and again. */
const PROBED = new Map<string, Probed>();

interface Probed {
  /** The first episodes, which tell most simulators apart. */
  readonly opening: SimulatorProbe;
  /** All episodes, once they were needed. */
  whole: SimulatorProbe | null;
  floors: DistanceFloors | null;
  /** How far it is from others. Many files of one batch hold the same panels. */
  readonly distances: WeakMap<Probed, Map<DistanceMetric, number>>;
}

/** Floors that a spec sets; the others have their defaults. */
export type GivenFloors = { readonly [Metric in keyof DistanceFloors]?: number | undefined };

/** Distances between the simulators of one world, whose learners are known. */
export class SimulatorDistances {
  private readonly world: World;
  private readonly options: ProbeOptions;
  private readonly given: GivenFloors;
  /** How many of a probe's episodes are played first. */
  private readonly openingEpisodes: number;
  /** Hashing a simulator takes as long as comparing two probes. */
  private readonly found = new Map<SimulatorData, Probed>();

  constructor(world: World, learners: readonly number[], given: GivenFloors = {}) {
    this.world = world;
    this.options = { learners, seed: PROBE_SEED, episodes: world.probeEpisodes ?? PROBE_EPISODES };
    this.openingEpisodes = Math.max(1, Math.floor(this.options.episodes * OPENING_SHARE));
    this.given = given;
  }

  between(a: SimulatorData, b: SimulatorData): Distances {
    const entries = DISTANCE_METRICS.map((metric) => [metric, this.distance(metric, a, b)] as const);
    return Object.fromEntries(entries) as unknown as Distances;
  }

  /** The floors of one simulator; those of a pair are the larger of both. */
  floors(simulator: SimulatorData): DistanceFloors {
    const probed = this.probed(simulator);
    probed.floors ??= defaultFloors(this.world, simulator, this.whole(simulator), this.options);
    const { given } = this;
    return {
      trajectory_kl: given.trajectory_kl ?? probed.floors.trajectory_kl,
      state_visitation: given.state_visitation ?? probed.floors.state_visitation,
      reward_distribution: given.reward_distribution ?? probed.floors.reward_distribution,
    };
  }

  floorsOfPair(a: SimulatorData, b: SimulatorData): DistanceFloors {
    return floorsOfPair(this.floors(a), this.floors(b));
  }

  /** Plays what it takes to tell: the floor of `state_visitation` needs no play, and a distance above it settles the rest. */
  areTooClose(a: SimulatorData, b: SimulatorData): boolean {
    const { episodes } = this.options;
    const floor = this.given.state_visitation ?? STATE_VISITATION_FLOOR;
    if (visitationReaches(this.probed(a).opening, this.probed(b).opening, floor, episodes)) return false;
    if (visitationReaches(this.whole(a), this.whole(b), floor, episodes)) return false;
    return areMeasuredTooClose((metric) => this.distance(metric, a, b), this.floorsOfPair(a, b));
  }

  private distance(metric: DistanceMetric, a: SimulatorData, b: SimulatorData): number {
    const [one, other] = [this.probed(a), this.probed(b)];
    const known = one.distances.get(other) ?? new Map<DistanceMetric, number>();
    one.distances.set(other, known);
    const distance = known.get(metric) ?? distanceBetween(metric, this.whole(a), this.whole(b));
    known.set(metric, distance);
    return distance;
  }

  private whole(simulator: SimulatorData): SimulatorProbe {
    const probed = this.probed(simulator);
    const { world, options, openingEpisodes: first } = this;
    probed.whole ??= joinProbes(
      probed.opening,
      probeSimulator(world, simulator, { ...options, first, episodes: options.episodes - first }),
    );
    return probed.whole;
  }

  private probed(simulator: SimulatorData): Probed {
    const found = this.found.get(simulator) ?? this.probedBefore(simulator);
    this.found.set(simulator, found);
    return found;
  }

  private probedBefore(simulator: SimulatorData): Probed {
    const { world, options } = this;
    const key = `${simulatorHash(world, simulator)} ${options.learners.join()}`;
    const known = PROBED.get(key);
    if (known !== undefined) return known;
    const opening = probeSimulator(world, simulator, { ...options, episodes: this.openingEpisodes });
    const probed: Probed = { opening, whole: null, floors: null, distances: new WeakMap() };
    if (PROBED.size >= KEPT_MAX) PROBED.delete(PROBED.keys().next().value!);
    PROBED.set(key, probed);
    return probed;
  }
}
