import {
  DISTANCE_METRICS,
  distanceBetween,
  type DistanceMetric,
  type Distances,
} from '../learning/distances/distances.ts';
import { areMeasuredTooClose, defaultFloors, type DistanceFloors, floorsOfPair } from '../learning/distances/floors.ts';
import { PROBE_EPISODES, type ProbeOptions, probeSimulator, type SimulatorProbe } from '../learning/distances/probe.ts';
import type { SimulatorData, World } from '../simulators/contract.ts';
import { simulatorHash } from './identity.ts';

/** Fixed, so that the distance between two simulators is the same in every experiment. */
const PROBE_SEED = 0;
/** Simulators whose probes are kept; one of three seats takes 140 kB. */
const KEPT_MAX = 128;

/** Simulators probed before, by all that a probe depends on. One costs milliseconds, and specs are read again and again. */
const PROBED = new Map<string, Probed>();

interface Probed {
  readonly probe: SimulatorProbe;
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
  /** Hashing a simulator takes as long as comparing two probes. */
  private readonly found = new Map<SimulatorData, Probed>();

  constructor(world: World, learners: readonly number[], given: GivenFloors = {}) {
    this.world = world;
    this.options = { learners, seed: PROBE_SEED, episodes: world.probeEpisodes ?? PROBE_EPISODES };
    this.given = given;
  }

  between(a: SimulatorData, b: SimulatorData): Distances {
    const entries = DISTANCE_METRICS.map((metric) => [metric, this.distance(metric, a, b)] as const);
    return Object.fromEntries(entries) as unknown as Distances;
  }

  /** The floors of one simulator; those of a pair are the larger of both. */
  floors(simulator: SimulatorData): DistanceFloors {
    const probed = this.probed(simulator);
    probed.floors ??= defaultFloors(this.world, simulator, probed.probe, this.options);
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

  areTooClose(a: SimulatorData, b: SimulatorData): boolean {
    return areMeasuredTooClose((metric) => this.distance(metric, a, b), this.floorsOfPair(a, b));
  }

  private distance(metric: DistanceMetric, a: SimulatorData, b: SimulatorData): number {
    const [one, other] = [this.probed(a), this.probed(b)];
    const known = one.distances.get(other) ?? new Map<DistanceMetric, number>();
    one.distances.set(other, known);
    const distance = known.get(metric) ?? distanceBetween(metric, one.probe, other.probe);
    known.set(metric, distance);
    return distance;
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
    const probed: Probed = { probe: probeSimulator(world, simulator, options), floors: null, distances: new WeakMap() };
    if (PROBED.size >= KEPT_MAX) PROBED.delete(PROBED.keys().next().value!);
    PROBED.set(key, probed);
    return probed;
  }
}
