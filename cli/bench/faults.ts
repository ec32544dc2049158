import { keyFrom, RandomStream } from '../../simulators/random.ts';
import type { Victim } from './victims.ts';

/** One thing that goes wrong while an experiment runs. */
export interface Fault {
  readonly victim: Victim;
  readonly how: 'SIGKILL' | 'SIGTERM' | 'lack of memory';
  /** Seconds after the fault before, as a share of the interval. */
  readonly pauseShare: number;
  /** Which of the training processes, as a share of their number. */
  readonly choice: number;
}

type Kind = Pick<Fault, 'victim' | 'how'>;

/**
 * Kills are drawn from a bag that is filled again when it is empty, so that in every eight of them each component dies
 * once, and a training process twice. A supervisor gives up when a service dies ten times within a minute: here it sees no
 * service die more than four times before it is killed itself.
 */
const BAG: readonly Kind[] = [
  { victim: 'training child', how: 'SIGKILL' },
  { victim: 'training child', how: 'SIGKILL' },
  { victim: 'worker', how: 'SIGKILL' },
  { victim: 'worker', how: 'SIGTERM' },
  { victim: 'temporal', how: 'SIGKILL' },
  { victim: 'postgres', how: 'SIGKILL' },
  { victim: 'supervisor', how: 'SIGKILL' },
  { victim: 'everything at once', how: 'SIGKILL' },
];

/** Faults in an order and at distances that are functions of the seed. @param memory how many times memory is refused */
export function drawFaults({ kills, memory, seed }: { kills: number; memory: number; seed: number }): Fault[] {
  const random = new RandomStream(keyFrom(seed));
  const kinds: Kind[] = [];
  while (kinds.length < kills) kinds.push(...shuffled(BAG, random).slice(0, kills - kinds.length));
  for (let fault = 0; fault < memory; fault += 1) {
    const place = random.nextInteger(kinds.length + 1);
    kinds.splice(place, 0, { victim: 'training child', how: 'lack of memory' });
  }
  return kinds.map((kind) => ({ ...kind, pauseShare: 0.5 + random.nextUniform(), choice: random.nextUniform() }));
}

/** How a fault is counted. */
export function faultName({ victim, how }: Kind): string {
  if (how === 'SIGKILL') return victim;
  return how === 'SIGTERM' ? `${victim}, SIGTERM` : `memory of a ${victim}`;
}

function shuffled<Item>(items: readonly Item[], random: RandomStream): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(random.nextInteger(rest.length), 1)[0]!);
}
