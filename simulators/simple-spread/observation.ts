import type { ObservationPart, StateFeature } from '../contract.ts';
import type { ParameterColumns } from '../parameter-columns.ts';
import { PURPOSE, RandomStream } from '../random.ts';
import type { Options } from './options.ts';
import type { State } from './state.ts';

/** Numbers that each agent may say in MPE2; agents of simple_spread are silent. */
const CHANNEL_SIZE = 2;

/** The observation of every seat, part by part; see the card in `family.ts`. */
export function observationParts(options: Options): readonly ObservationPart[] {
  const others = 2 * (options.agents - 1);
  const parts = [
    { name: 'own_velocity', length: 2, unit: 'length/s' },
    { name: 'own_position', length: 2, unit: 'length' },
    { name: 'landmarks', length: 2 * options.agents, unit: 'length' },
    { name: 'others', length: others, unit: 'length' },
    { name: 'other_velocities', length: options.observe_velocities ? others : 0, unit: 'length/s' },
    {
      name: 'communication',
      length: options.communication_channel ? CHANNEL_SIZE * (options.agents - 1) : 0,
      unit: '1',
    },
  ];
  let offset = 0;
  return parts.flatMap((part) => {
    const placed = { ...part, offset };
    offset += part.length;
    return part.length > 0 ? [placed] : [];
  });
}

/** What histograms of visited states are made of; about 95 % of a random player's positions lie within the range. */
export const FEATURES: readonly StateFeature[] = [
  { name: 'x', low: -1.5, high: 1.5, bins: 12 },
  { name: 'y', low: -1.5, high: 1.5, bins: 12 },
  { name: 'nearest_landmark', low: 0, high: 2, bins: 10 },
  { name: 'nearest_agent', low: 0, high: 2, bins: 10 },
];

/** What the agents see. Nothing is clipped; noise is added to all but the silent channel. */
export class Observer {
  private readonly state: State;
  private readonly seesVelocities: boolean;
  private readonly sensedSize: number;
  private readonly size: number;
  private readonly noise: Float64Array;
  private readonly stream = new RandomStream({ high: 0, low: 0 });
  /** Shape [B]: the key of the noise. */
  private readonly keyHigh: Int32Array;
  private readonly keyLow: Int32Array;

  constructor(state: State, columns: ParameterColumns, options: Options) {
    const parts = observationParts(options);
    this.state = state;
    this.seesVelocities = options.observe_velocities;
    this.size = parts.reduce((sum, part) => sum + part.length, 0);
    this.sensedSize = parts.filter((part) => part.name !== 'communication').reduce((sum, part) => sum + part.length, 0);
    this.noise = columns.column('perturbations.observation_noise');
    this.keyHigh = new Int32Array(state.environmentCount);
    this.keyLow = new Int32Array(state.environmentCount);
  }

  begin(environment: number, keyHigh: number, keyLow: number): void {
    this.keyHigh[environment] = keyHigh;
    this.keyLow[environment] = keyLow;
  }

  /** @param out shape [B N O] */
  observe(out: Float32Array | Float64Array): void {
    const { environmentCount, seatCount } = this.state;
    for (let environment = 0; environment < environmentCount; environment += 1) {
      const noise = this.noise[environment]!;
      for (let seat = 0; seat < seatCount; seat += 1) {
        const at = (environment * seatCount + seat) * this.size;
        this.sense(environment, seat, out, at);
        if (noise > 0) this.disturb(environment, seat, noise, out, at);
      }
    }
  }

  private sense(environment: number, seat: number, out: Float32Array | Float64Array, at: number): void {
    const { seatCount, x, y, velocityX, velocityY, landmarkX, landmarkY } = this.state;
    const first = environment * seatCount;
    const end = first + seatCount;
    const self = first + seat;
    const ownX = x[self]!;
    const ownY = y[self]!;
    let next = at;
    out[next++] = velocityX[self]!;
    out[next++] = velocityY[self]!;
    out[next++] = ownX;
    out[next++] = ownY;
    for (let landmark = first; landmark < end; landmark += 1) {
      out[next++] = landmarkX[landmark]! - ownX;
      out[next++] = landmarkY[landmark]! - ownY;
    }
    for (let other = first; other < end; other += 1) {
      if (other === self) continue;
      out[next++] = x[other]! - ownX;
      out[next++] = y[other]! - ownY;
    }
    if (this.seesVelocities) {
      for (let other = first; other < end; other += 1) {
        if (other === self) continue;
        out[next++] = velocityX[other]!;
        out[next++] = velocityY[other]!;
      }
    }
    while (next < at + this.size) out[next++] = 0;
  }

  /** The noise is a function of key, step and seat, so looking twice shows the same. */
  private disturb(
    environment: number,
    seat: number,
    noise: number,
    out: Float32Array | Float64Array,
    at: number,
  ): void {
    this.stream.rekeyFolded(this.keyHigh[environment]!, this.keyLow[environment]!, PURPOSE.observationNoise);
    this.stream.seek(this.state.step[environment]! * this.state.seatCount + seat);
    for (let next = at; next < at + this.sensedSize; next += 1) out[next]! += noise * this.stream.nextNormal();
  }

  /** @param out shape [B N F], features in the order of `FEATURES` */
  observeFeatures(out: Float64Array): void {
    const { environmentCount, seatCount, x, y, landmarkX, landmarkY } = this.state;
    let next = 0;
    for (let agent = 0; agent < environmentCount * seatCount; agent += 1) {
      const first = agent - (agent % seatCount);
      out[next++] = x[agent]!;
      out[next++] = y[agent]!;
      out[next++] = nearest(x[agent]!, y[agent]!, landmarkX, landmarkY, first, first + seatCount, -1);
      out[next++] = nearest(x[agent]!, y[agent]!, x, y, first, first + seatCount, agent);
    }
  }
}

/** Distance from a point to the nearest of the points `first` … `end` − 1, but for one of them. */
function nearest(
  atX: number,
  atY: number,
  x: Float64Array,
  y: Float64Array,
  first: number,
  end: number,
  except: number,
): number {
  let squared = Infinity;
  for (let index = first; index < end; index += 1) {
    if (index === except) continue;
    const deltaX = x[index]! - atX;
    const deltaY = y[index]! - atY;
    squared = Math.min(squared, deltaX * deltaX + deltaY * deltaY);
  }
  return Math.sqrt(squared);
}
