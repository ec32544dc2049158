import { availableParallelism } from 'node:os';
import type { ResolvedVariant } from '../../../schemas/resolved-experiment.ts';
import { note } from '../../terminal/terminal.ts';
import type { BenchOptions } from '../bench.ts';
import { machine, spreadOf, type BenchReport, type Spread } from '../report.ts';
import { benchSpec, firstVariant } from '../spec.ts';
import { PlainRun } from './plain-run.ts';
import { TRAINING_PEERS, trainPeer, type PeerTraining, type TrainingPeer } from './training-peers.ts';
import { inTrainingProcesses } from './training-process.ts';
import { productGflopPerS, profileTraining } from './training-profile.ts';

/** About 10 s of one core: as long as the peers are measured. */
const ENV_STEPS_OF_ROUND = 499_200;

/**
 * Training throughput of the whole machine: the task, network, samples and minibatches of `experiments/learning.json`, as
 * many runs at once as there are processors, beside other systems in turns, so that a drift of the machine hits all.
 */
export async function benchTrain({ repetitions, seconds, only }: BenchOptions): Promise<BenchReport> {
  const rounds = repetitions + 1;
  const overrides = [`budget.rounds=${rounds}`, `budget.env_steps=${rounds * ENV_STEPS_OF_ROUND}`];
  const variant = firstVariant(await benchSpec('learning', overrides));
  const peers = Object.entries(TRAINING_PEERS).filter(([name]) => only.length === 0 || only.includes(name));
  const measured = new Map<string, PeerTraining[][]>(peers.map(([name]) => [name, []]));
  const ours: number[] = [];
  await inTrainingProcesses(availableParallelism(), async (processes) => {
    const runs = processes.map((process, seed) => new PlainRun(variant, { seed, process }));
    // Graphs are compiled, as the peers' are, before anything is measured.
    await trainTogether(runs);
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      ours.push(await trainTogether(runs));
      note(`${repetition + 1} of ${repetitions}, ours: ${Math.round(ours.at(-1)!)} env steps/s`);
      for (const [name, peer] of peers) {
        const trained = await measurePeer(peer, seconds, repetition);
        if (trained === null) continue;
        measured.get(name)!.push([...trained]);
        note(`${repetition + 1} of ${repetitions}, ${name}: ${Math.round(stepsPerS(trained))} env steps/s`);
      }
    }
  });
  return report({ variant, ours, measured });
}

/** @returns env steps per second of all of them until the last is done */
async function trainTogether(runs: readonly PlainRun[]): Promise<number> {
  const startedAt = performance.now();
  const trained = await Promise.all(runs.map((run) => run.train()));
  const envSteps = trained.reduce((sum, round) => sum + round.envSteps, 0);
  return envSteps / ((performance.now() - startedAt) / 1000);
}

function measurePeer(peer: TrainingPeer, seconds: number, repetition: number) {
  const seeds = Array.from({ length: peer.atOnce }, (_, index) => repetition * peer.atOnce + index);
  return trainPeer(
    peer,
    seeds.map((seed) => ['--seconds', String(seconds), '--seed', String(seed)]),
  );
}

const stepsPerS = (trained: readonly PeerTraining[]): number =>
  trained.reduce((sum, { env_steps, wall_s }) => sum + env_steps / wall_s, 0);

async function report({
  variant,
  ours,
  measured,
}: {
  variant: ResolvedVariant;
  ours: readonly number[];
  measured: ReadonlyMap<string, readonly (readonly PeerTraining[])[]>;
}): Promise<BenchReport> {
  const found = [...measured].filter(([, each]) => each.length === ours.length);
  const profile = await profileTraining(variant, { seed: 0, rounds: 1 });
  return {
    name: 'train',
    ratios: Object.fromEntries(
      found.map(([name, each]) => [
        `ours over ${name}`,
        spreadOf(each.map((trained, index) => ours[index]! / stepsPerS(trained))),
      ]),
    ),
    ours: {
      'env steps/s, whole machine': spreadOf(ours),
      'runs at once': availableParallelism(),
      ...Object.fromEntries(Object.entries(profile.shares).map(([stage, share]) => [`share of ${stage}`, share])),
      'share of the update in its graph': profile.graphShareOfUpdate,
      'GFLOP/s of the update, one core': profile.updateGflopPerS,
      'GFLOP/s of a product of 1024 × 1024, one core': await productGflopPerS(),
    },
    peers: found.map(([name, each]) => ({ name, ...peerFigures(each) })),
    n: ours.length,
    machine: machine(),
  };
}

function peerFigures(each: readonly (readonly PeerTraining[])[]): Record<string, Spread | string | number> {
  const over = (value: (trained: PeerTraining) => number): Spread => spreadOf(each.flat().map(value));
  return {
    version: each[0]![0]!.version,
    'env steps/s': spreadOf(each.map(stepsPerS)),
    'env steps a step of the optimizer': each[0]![0]!.env_steps / each[0]![0]!.optimizer_steps,
    'compiling s': over(({ compile_s }) => compile_s),
    'peak MiB': over(({ peak_rss_mib }) => peak_rss_mib),
  };
}
