import { z } from 'zod';
import { processMemory } from '../../infra/children/process-memory.ts';
import { createActions } from '../../simulators/actions.ts';
import type { ActionArray, World } from '../../simulators/contract.ts';
import { foldIn, type Key, keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { ThawError } from '../../schemas/errors.ts';
import { BRIDGED_FAMILIES, environmentProcess } from '../simulators/bridged-families.ts';
import { findPeer } from './peer.ts';
import { machine, spreadOf, type BenchReport } from './report.ts';

const ENVIRONMENT = 'simple_spread_v3';
/** Quick, so that a million steps take a minute: what grows would grow with messages, whatever they are about. */
const WATCHED_ENVIRONMENT = 'CartPole-v1';
const ENVIRONMENT_COUNT = 64;
/** Looks at the memory, evenly over all steps. */
const MEMORY_LOOKS = 10;
/** Growth that still counts as flat, as a share of what is there after the first tenth of the steps. */
const GROWTH_SHARE = 0.02;

/** Of the environment's own speed, what is to be kept. */
const SPEED_SHARE = 0.7;

const peerSchema = z.object({ name: z.string(), version: z.string(), env_steps_per_s: z.array(z.number()).min(1) });

export interface BridgeBenchOptions {
  readonly repetitions: number;
  readonly seconds: number;
  /** Env steps over which memory is watched. */
  readonly steps: number;
}

/**
 * Stepping an environment of MPE2 through the bridge, observations and resets included, beside the same environments in
 * one plain loop of Python; and what memory does meanwhile, of this process and of the Python process.
 */
export async function benchBridge({ repetitions, seconds, steps }: BridgeBenchOptions): Promise<BenchReport> {
  const stepping = new Stepping(openEnvironment('pettingzoo', `mpe2.${ENVIRONMENT}`));
  stepping.forSeconds(seconds);
  const rates: number[] = [];
  const peers: z.infer<typeof peerSchema>[] = [];
  const peer = {
    requirements: 'requirements-stepping.txt',
    interpreter: 'python',
    script: 'bridge-stepping.py',
  } as const;
  const args = [ENVIRONMENT, String(ENVIRONMENT_COUNT)];
  // In turns, so that what else the machine does is in both.
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    rates.push(stepping.forSeconds(seconds));
    const found = await findPeer({ ...peer, args }, ['1', String(seconds)], peerSchema);
    if (found === null) break;
    peers.push(found);
  }
  const theirs = peers.map(({ env_steps_per_s: [rate] }) => rate!);
  const ratios = theirs.map((rate, index) => rates[index]! / rate);
  stepping.close();
  const watched = new Stepping(openEnvironment('gymnasium', WATCHED_ENVIRONMENT));
  const memory = memoryOver(watched, steps);
  watched.close();
  return {
    name: 'bridge',
    ours: {
      [`${ENVIRONMENT}, ${ENVIRONMENT_COUNT} environments, env steps/s`]: spreadOf(rates),
      [`${WATCHED_ENVIRONMENT}, resident memory over ${steps} env steps, MiB`]: memory,
    },
    peers: peers.length === 0 ? [] : [{ ...peers[0]!, env_steps_per_s: spreadOf(theirs) }],
    ratios: ratios.length === 0 ? {} : { 'over the same loop in Python alone': spreadOf(ratios) },
    n: rates.length,
    holds: spreadOf(ratios.length === 0 ? [NaN] : ratios).median >= SPEED_SHARE && isFlat(memory),
    machine: machine(),
  };
}

function openEnvironment(familyName: string, environment: string): World {
  const family = BRIDGED_FAMILIES.find(({ name }) => name === familyName)!;
  const parsed = family.optionsSchema.safeParse({ environment });
  if (parsed.success) return family.open(parsed.data);
  throw new ThawError('REQUEST_ENVIRONMENT_UNUSABLE', z.prettifyError(parsed.error));
}

/** Steps a batch with random actions that are drawn beforehand, observes it, and starts what has ended anew. */
class Stepping {
  private readonly world: World;
  private readonly batch;
  private readonly actions: readonly ActionArray[];
  private readonly observations: readonly Float32Array[];
  private readonly parameters: Float64Array;
  private key: Key = keyFrom(PURPOSE.episode);
  private step = 0;

  constructor(world: World) {
    this.world = world;
    this.batch = world.createBatch(ENVIRONMENT_COUNT);
    this.parameters = world.compile(world.simulatorSchema.parse({}));
    this.observations = world.groups.map(
      ({ seats, observationSize }) => new Float32Array(ENVIRONMENT_COUNT * seats.length * observationSize),
    );
    const random = new RandomStream(keyFrom(PURPOSE.actionSampling));
    const { actions } = world.groups[0]!;
    const count = actions.kind === 'discrete' ? actions.count : 1;
    this.actions = Array.from({ length: 97 }, () => {
      const drawn = createActions(world, ENVIRONMENT_COUNT);
      return drawn.map(() => random.nextInteger(count));
    });
    for (let environment = 0; environment < ENVIRONMENT_COUNT; environment += 1) this.start(environment);
  }

  /** @returns env steps per second */
  forSeconds(seconds: number): number {
    const startedAt = performance.now();
    let count = 0;
    while (performance.now() - startedAt < seconds * 1000) {
      this.once();
      count += ENVIRONMENT_COUNT;
    }
    return count / ((performance.now() - startedAt) / 1000);
  }

  forSteps(steps: number): void {
    for (let done = 0; done < steps; done += ENVIRONMENT_COUNT) this.once();
  }

  close(): void {
    this.batch.close?.();
  }

  private once(): void {
    const { batch, observations, actions } = this;
    void batch.step(actions[this.step % actions.length]!);
    this.step += 1;
    this.world.groups.forEach((_, group) => batch.observe(group, observations[group]!));
    for (let environment = 0; environment < ENVIRONMENT_COUNT; environment += 1) {
      if (batch.ended[environment] === 1 || batch.truncated[environment] === 1) this.start(environment);
    }
  }

  private start(environment: number): void {
    this.key = foldIn(this.key, environment);
    this.batch.reset(environment, this.parameters, this.key);
  }
}

/** MiB of both processes, at the first tenth of the steps and at the end, with the most in between. */
function memoryOver(stepping: Stepping, steps: number): Record<'first' | 'last' | 'most', number> {
  const seen = Array.from({ length: MEMORY_LOOKS }, () => {
    stepping.forSteps(steps / MEMORY_LOOKS);
    const python = environmentProcess();
    return [process.pid, ...(python === null ? [] : [python])].reduce(
      (sum, pid) => sum + (processMemory(pid)?.rssMib ?? NaN),
      0,
    );
  });
  return { first: seen[0]!, last: seen.at(-1)!, most: Math.max(...seen) };
}

function isFlat({ first, last }: ReturnType<typeof memoryOver>): boolean {
  return last <= first * (1 + GROWTH_SHARE);
}
