import { note } from '../terminal/terminal.ts';
import { runInChaos, type ChaosRun } from './chaos-run.ts';
import { drawFaults } from './faults.ts';
import { inPrivateHome } from './private-home.ts';
import { machine, type BenchReport } from './report.ts';
import { benchSpec } from './spec.ts';

export interface ChaosBenchOptions {
  readonly kills: number;
  /** How many times memory is refused to a training process. */
  readonly memory: number;
  readonly seed: number;
  /** Mean seconds between two faults. */
  readonly interval: number;
  /** Changes of `experiments/chaos.json`, as after `--set`. */
  readonly set: readonly string[];
}

/** The law of the product under fire: the experiment once left alone and once disturbed all the time has equal rows. */
export async function benchChaos(options: ChaosBenchOptions): Promise<BenchReport> {
  const { kills, memory, seed, interval: intervalS } = options;
  const faults = drawFaults({ kills, memory, seed });
  const spec = (index: number) => experiment(index, options.set);
  const disturbed = await inPrivateHome((session) => runInChaos(session, { spec, experiments: 1, faults, intervalS }));
  const experiments = disturbed.digests.length;
  note(`disturbed: over after ${disturbed.wallS.toFixed(0)} s; now ${experiments} undisturbed`);
  const undisturbed = await inPrivateHome((session) =>
    runInChaos(session, { spec, experiments, faults: [], intervalS }),
  );
  return report(options, disturbed, undisturbed);
}

/** Another experiment has other seeds: an equal run would be skipped. */
async function experiment(index: number, set: readonly string[]) {
  const { seeds } = (await benchSpec('chaos', set)).experiment;
  const others = seeds.map((seed) => seed + index * seeds.length);
  return benchSpec('chaos', [...set, `seeds=${JSON.stringify(others)}`]);
}

function report({ kills, memory }: ChaosBenchOptions, disturbed: ChaosRun, undisturbed: ChaosRun): BenchReport {
  const equal = disturbed.digests.filter((digest, index) => digest === undisturbed.digests[index]).length;
  const outOfMemory = disturbed.attempts['out_of_memory'] ?? 0;
  const faultCount = Object.values(disturbed.faults).reduce((sum, count) => sum + count, 0);
  const holds =
    equal === undisturbed.digests.length &&
    Object.keys(disturbed.states).join() === 'SUCCEEDED' &&
    faultCount === kills + memory &&
    disturbed.survivors === 0 &&
    disturbed.unexpected.length === 0 &&
    (memory === 0 || outOfMemory > 0);
  return {
    name: 'chaos',
    holds,
    ratios: { 'disturbed over undisturbed, wall time': disturbed.wallS / undisturbed.wallS },
    ours: {
      'equal rows': `${equal} of ${undisturbed.digests.length} experiments`,
      'faults, by component': disturbed.faults,
      disturbed,
      undisturbed,
    },
    peers: [],
    n: faultCount,
    machine: machine(),
  };
}
