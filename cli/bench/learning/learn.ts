import { availableParallelism } from 'node:os';
import { mean } from '../../../learning/statistics/moments.ts';
import { mapAtMost } from '../../at-most.ts';
import { note } from '../../terminal/terminal.ts';
import type { BenchOptions } from '../bench.ts';
import { machine, type BenchReport } from '../report.ts';
import { benchSpec, firstVariant } from '../spec.ts';
import { learnedRun, seedsReturn, type SeedsReturn } from './learned-run.ts';
import { TRAINING_PEERS, trainPeer } from './training-peers.ts';

/** About that of an assignment of agents to landmarks that never changes. */
const TARGET_RETURN = -32;

/** What the seeds of one system came to with a budget. */
interface Learned extends Record<string, unknown> {
  readonly return: SeedsReturn;
  /** Of training one of them, beside as many others as are trained at once. */
  readonly 'wall s': number;
  /** The same over their number: what a run takes of the whole machine. */
  readonly 'wall s a run': number;
}

/**
 * The team return after several budgets, each a run of its own because schedules go over a run, beside the fastest peer with
 * the settings that it learnt best with; and the wall time to a return.
 */
export async function benchLearn({ seeds, budgets, only }: BenchOptions): Promise<BenchReport> {
  const wants = (name: string): boolean => only.length === 0 || only.includes(name);
  const peers = Object.keys(TRAINING_PEERS).filter((name) => only.includes(name));
  // Two processes of one thread each are twice as fast here as one that has all processors.
  if (only.length === 0) peers.push('jaxmarl two at once');
  const systems = [...(wants('ours') ? ['ours'] : []), ...peers];
  const learned = new Map<string, Map<number, Learned>>(systems.map((name) => [name, new Map()]));
  for (const budget of budgets) {
    for (const name of systems) {
      const outcome = name === 'ours' ? await learnOurs(budget, seeds) : await learnPeer(name, budget, seeds);
      if (outcome === null) continue;
      learned.get(name)!.set(budget, outcome);
      note(
        `${budget} env steps, ${name}: ${outcome.return.mean.toFixed(2)}, ${outcome['wall s a run'].toFixed(1)} s a run`,
      );
    }
  }
  const { ours = new Map<number, Learned>(), ...others } = Object.fromEntries(learned);
  return {
    name: 'learn',
    ratios: Object.fromEntries(Object.entries(others).flatMap(([name, theirs]) => wallRatios(name, ours, theirs))),
    ours: textByBudget(ours),
    peers: Object.entries(others).map(([name, theirs]) => ({ name, ...textByBudget(theirs) })),
    n: seeds,
    machine: machine(),
  };
}

async function learnOurs(budget: number, seeds: number): Promise<Learned> {
  const variant = firstVariant(await benchSpec('learning', [`budget.env_steps=${budget}`]));
  const atOnce = availableParallelism();
  const runs = await mapAtMost(atOnce, seedList(seeds), (seed) => learnedRun(variant, seed));
  return {
    return: seedsReturn(runs.map(({ returnMean }) => returnMean)),
    ...wallTimes(mean(runs.map(({ wallS }) => wallS)), Math.min(atOnce, seeds)),
  };
}

async function learnPeer(name: string, budget: number, seeds: number): Promise<Learned | null> {
  const peer = TRAINING_PEERS[name]!;
  const runs = await trainPeer(
    peer,
    seedList(seeds).map((seed) => ['--steps', String(budget), '--seed', String(seed)]),
  );
  if (runs === null) return null;
  return {
    return: seedsReturn(runs.map(({ return_mean }) => return_mean ?? NaN)),
    ...wallTimes(mean(runs.map(({ wall_s }) => wall_s)), Math.min(peer.atOnce, seeds)),
    'compiling s': mean(runs.map(({ compile_s }) => compile_s)),
  };
}

function wallTimes(wallS: number, atOnce: number): Pick<Learned, 'wall s' | 'wall s a run'> {
  return { 'wall s': wallS, 'wall s a run': wallS / atOnce };
}

/** Wall time of theirs over ours: with equal budgets, and with the least budget of each that reaches the target. */
function wallRatios(
  name: string,
  ours: ReadonlyMap<number, Learned>,
  theirs: ReadonlyMap<number, Learned>,
): [string, number][] {
  const pairs: [what: string, our: Learned, their: Learned][] = [...ours].flatMap(([budget, our]) => {
    const their = theirs.get(budget);
    return their === undefined ? [] : [[`${budget} env steps each`, our, their]];
  });
  const [our, their] = [ours, theirs].map((learned) =>
    [...learned].find(([, { return: reached }]) => reached.mean >= TARGET_RETURN),
  );
  if (our !== undefined && their !== undefined) {
    pairs.unshift([`to ${TARGET_RETURN} (${their[0]} and ${our[0]} env steps)`, our[1], their[1]]);
  }
  return pairs.flatMap(([what, mine, other]): [string, number][] => [
    [`${name} over ours, wall time of the whole machine a run, ${what}`, other['wall s a run'] / mine['wall s a run']],
    [`${name} over ours, wall time of one run, ${what}`, other['wall s'] / mine['wall s']],
  ]);
}

const seedList = (count: number): number[] => Array.from({ length: count }, (_, seed) => seed);

const textByBudget = (learned: ReadonlyMap<number, Learned>): Record<string, Learned> =>
  Object.fromEntries([...learned].map(([budget, outcome]) => [`${budget} env steps`, outcome]));
