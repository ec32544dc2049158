import type { Batch, World } from '../../simulators/contract.ts';
import { foldIn, keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { findPeer } from './peer.ts';
import { machine, spreadOf, type BenchReport, type Spread } from './report.ts';

const BATCH_SIZES = [1, 64, 1024];
const REPETITIONS = 5;
const SECONDS_EACH = 0.5;

/** Raw stepping with random actions drawn beforehand, resets included, beside MPE2 itself where Python has it. */
export async function benchSimulators(): Promise<BenchReport> {
  const ours: Record<string, Spread> = {};
  for (const family of Object.values(FAMILIES)) {
    const world = family.open(family.optionsSchema.parse({}));
    for (const environmentCount of BATCH_SIZES) {
      const once = (observing: boolean): Spread =>
        spreadOf(Array.from({ length: REPETITIONS }, () => stepsPerSecond(world, environmentCount, observing)));
      ours[`${family.name}, ${environmentCount} environments, env steps/s`] = once(false);
      ours[`${family.name}, ${environmentCount} environments, with observations, env steps/s`] = once(true);
    }
  }
  const peer = await findPeer('mpe2-stepping.py', ['mpe2'], [String(REPETITIONS), String(SECONDS_EACH)]);
  const best = ours['simple_spread, 1024 environments, env steps/s']!;
  return {
    name: 'simulators',
    ours,
    peers: peer === null ? [] : [peer],
    ratios: peer === null ? {} : { 'simple_spread over MPE2': best.median / spreadOf(peer.env_steps_per_s).median },
    n: REPETITIONS,
    machine: machine(),
  };
}

function stepsPerSecond(world: World, environmentCount: number, observing: boolean): number {
  const batch = world.createBatch(environmentCount);
  const parameters = world.compile(world.simulatorSchema.parse({}));
  const actions = randomActions(world, environmentCount);
  const observations = world.groups.map(
    (group) => new Float32Array(environmentCount * group.seats.length * group.observationSize),
  );
  const keys = Array.from({ length: environmentCount }, (_, environment) => keyFrom(PURPOSE.episode, environment));
  const reset = (environment: number): void => {
    keys[environment] = foldIn(keys[environment]!, 1);
    batch.reset(environment, parameters, keys[environment]);
  };
  for (let environment = 0; environment < environmentCount; environment += 1) reset(environment);
  const startedAt = performance.now();
  let steps = 0;
  while (performance.now() - startedAt < SECONDS_EACH * 1000) {
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

function restartEnded(batch: Batch, reset: (environment: number) => void): void {
  for (let environment = 0; environment < batch.environmentCount; environment += 1) {
    if (batch.truncated[environment] === 1 || batch.ended[environment] === 1) reset(environment);
  }
}

function randomActions(world: World, environmentCount: number): Int32Array[] {
  const random = new RandomStream(keyFrom(PURPOSE.actionSampling));
  const [group] = world.groups;
  const count = group!.actions.kind === 'discrete' ? group!.actions.count : 0;
  return Array.from({ length: 97 }, () =>
    Int32Array.from({ length: environmentCount * world.seatCount }, () => random.nextInteger(count)),
  );
}
