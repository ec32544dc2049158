import { z } from 'zod';
import type { Batch, Family, World } from '../../simulators/contract.ts';
import { foldIn, keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { findPeer, type Peer } from './peer.ts';
import { machine, spreadOf, type BenchReport, type Spread } from './report.ts';

const BATCH_SIZES = [1, 64, 1024];
const REPETITIONS = 5;
const SECONDS_EACH = 0.5;
const STEPS_OF_MEMORY_CHECK = 10_000_000;
const MIXED_ENVIRONMENTS = 256;

const peerSchema = z.object({ name: z.string(), version: z.string(), env_steps_per_s: z.array(z.number()).min(1) });

const ORIGINAL = { requirements: 'requirements-stepping.txt', interpreter: 'python' } as const;
/** The Python original of a family, where there is one. */
const PEERS: Readonly<Record<string, Peer>> = {
  simple_spread: { ...ORIGINAL, script: 'mpe2-stepping.py', args: ['simple_spread_v3'] },
  simple_tag: { ...ORIGINAL, script: 'mpe2-stepping.py', args: ['simple_tag_v3'] },
  simple_speaker_listener: { ...ORIGINAL, script: 'mpe2-stepping.py', args: ['simple_speaker_listener_v4'] },
  foraging: { ...ORIGINAL, script: 'lbforaging-stepping.py', args: ['Foraging-8x8-2p-2f-v3'] },
  kitchen: { ...ORIGINAL, script: 'overcooked-ai-stepping.py', args: ['cramped_room'] },
};

/** Raw stepping with random actions drawn beforehand, resets included, beside the Python originals in the same run. */
export async function benchSimulators(): Promise<BenchReport> {
  const ours: Record<string, unknown> = {};
  const ratios: Record<string, number> = {};
  const peers: z.infer<typeof peerSchema>[] = [];
  for (const family of Object.values(FAMILIES)) {
    const world = openDefault(family);
    const stepping = BATCH_SIZES.map((environmentCount) => {
      const raw = repeated(() => measure(world, { environmentCount, observing: false }));
      ours[`${family.name}, ${environmentCount} environments, env steps/s`] = raw;
      ours[`${family.name}, ${environmentCount} environments, with observations, env steps/s`] = repeated(() =>
        measure(world, { environmentCount, observing: true }),
      );
      return raw.median;
    });
    const mixed = mixedPool(world);
    ours[`${family.name}, pool over one simulator of it, time of a step`] = mixed;
    const original = PEERS[family.name];
    const peer = original === undefined ? null : await findPeer(original, timing(), peerSchema);
    if (peer === null) continue;
    peers.push(peer);
    ratios[`${family.name} over ${peer.name}`] = Math.max(...stepping) / spreadOf(peer.env_steps_per_s).median;
  }
  ours[`resident memory after ${STEPS_OF_MEMORY_CHECK} env steps over before, MiB`] = memoryGrowth();
  return { name: 'simulators', ours, peers, ratios, n: REPETITIONS, machine: machine() };
}

const timing = (): string[] => [String(REPETITIONS), String(SECONDS_EACH)];
const openDefault = (family: Family): World => family.open(family.optionsSchema.parse({}));
const repeated = (once: () => number): Spread => spreadOf(Array.from({ length: REPETITIONS }, once));

interface Stepping {
  readonly environmentCount: number;
  readonly observing: boolean;
  /** Shape [P] each: environment b holds number b modulo their count; the family's plain simulator by default. */
  readonly simulators?: readonly Float64Array[];
  /** Env steps instead of half a second. */
  readonly envSteps?: number;
}

/** @returns env steps per second */
function measure(world: World, { environmentCount, observing, simulators, envSteps = Infinity }: Stepping): number {
  const batch = world.createBatch(environmentCount);
  const parameters = simulators ?? [world.compile(world.simulatorSchema.parse({}))];
  const actions = randomActions(world, environmentCount);
  const observations = world.groups.map(
    (group) => new Float32Array(environmentCount * group.seats.length * group.observationSize),
  );
  const keys = Array.from({ length: environmentCount }, (_, environment) => keyFrom(PURPOSE.episode, environment));
  const reset = (environment: number): void => {
    keys[environment] = foldIn(keys[environment]!, 1);
    batch.reset(environment, parameters[environment % parameters.length]!, keys[environment]);
  };
  for (let environment = 0; environment < environmentCount; environment += 1) reset(environment);
  const startedAt = performance.now();
  const isOver = (steps: number): boolean =>
    envSteps === Infinity ? performance.now() - startedAt > SECONDS_EACH * 1000 : steps * environmentCount >= envSteps;
  let steps = 0;
  while (!isOver(steps)) {
    // A look at the clock costs more than a step of one small environment.
    for (let repeat = 0; repeat < 100; repeat += 1) {
      void batch.step(actions[steps % actions.length]!);
      if (observing) observations.forEach((out, group) => batch.observe(group, out));
      restartEnded(batch, reset);
      steps += 1;
    }
  }
  return (steps * environmentCount) / ((performance.now() - startedAt) / 1000);
}

/**
 * What mixing costs: the time of a step with all of a catalogue in one batch, over the mean time of a step with each of
 * them alone, so that what its partners compute is in both.
 */
function mixedPool(world: World): Spread {
  const simulators = Object.values(world.catalogue).map(({ simulator }) =>
    world.compile(world.simulatorSchema.parse(simulator)),
  );
  const secondsOfStep = (pool: readonly Float64Array[]): number =>
    1 / measure(world, { environmentCount: MIXED_ENVIRONMENTS, observing: false, simulators: pool, envSteps: 500_000 });
  return repeated(() => {
    const alone = simulators.map((simulator) => secondsOfStep([simulator]));
    return secondsOfStep(simulators) / (alone.reduce((sum, seconds) => sum + seconds, 0) / alone.length);
  });
}

/** By family: MiB, flat when nothing is allocated in the loop. */
function memoryGrowth(): Record<string, number> {
  return Object.fromEntries(
    Object.values(FAMILIES).map((family) => {
      const world = openDefault(family);
      measure(world, { environmentCount: 64, observing: true });
      const before = process.memoryUsage().rss;
      measure(world, { environmentCount: 64, observing: true, envSteps: STEPS_OF_MEMORY_CHECK });
      return [family.name, (process.memoryUsage().rss - before) / 2 ** 20];
    }),
  );
}

function restartEnded(batch: Batch, reset: (environment: number) => void): void {
  for (let environment = 0; environment < batch.environmentCount; environment += 1) {
    if (batch.truncated[environment] === 1 || batch.ended[environment] === 1) reset(environment);
  }
}

function randomActions(world: World, environmentCount: number): Int32Array[] {
  const random = new RandomStream(keyFrom(PURPOSE.actionSampling));
  const counts = new Array<number>(world.seatCount).fill(1);
  for (const { seats, actions } of world.groups) {
    for (const seat of seats) counts[seat] = actions.kind === 'discrete' ? actions.count : 1;
  }
  return Array.from({ length: 97 }, () =>
    Int32Array.from({ length: environmentCount * world.seatCount }, (_, at) =>
      random.nextInteger(counts[at % world.seatCount]!),
    ),
  );
}
