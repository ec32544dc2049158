import { ALGORITHMS } from '../../../learning/algorithms/registry.ts';
import type { ResolvedVariant } from '../../../schemas/resolved-experiment.ts';
import { openWorld } from '../../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../../specification/registries.ts';
import { note } from '../../terminal/terminal.ts';
import type { BenchOptions } from '../bench.ts';
import { machine, type BenchReport } from '../report.ts';
import { benchSpec } from '../spec.ts';
import { PlainRun, type RoundSettings } from './plain-run.ts';
import { inTrainingProcess } from './training-process.ts';

/** Long enough for every algorithm to learn from what it has kept. */
const BUDGET = ['budget.env_steps=51200', 'budget.rounds=2'];
const SAMPLERS = [1, 2, 4];
/** Samples of a grain, where an algorithm divides minibatches. */
const GRAIN = 100;

/**
 * Hashes of the last checkpoint of short runs of every algorithm, each in a process of its own: the same whatever the number
 * of samplers, and whatever the chunk in which a minibatch is computed.
 */
export async function benchRepeatability({ only }: BenchOptions): Promise<BenchReport> {
  const variants = await variantsByAlgorithm();
  const ours: Record<string, unknown> = {};
  let agreeing = 0;
  const names = Object.keys(variants).filter((name) => only.length === 0 || only.includes(name));
  for (const name of names) {
    const hashes: Record<string, string> = {};
    for (const settings of settingsOf(variants[name]!)) {
      const hash = await lastHash(variants[name]!, settings);
      hashes[textOf(settings)] = hash.slice(0, 16);
      note(`${name}, ${textOf(settings)}: ${hash}`);
    }
    const isEqual = new Set(Object.values(hashes)).size === 1;
    agreeing += isEqual ? 1 : 0;
    ours[name] = { equal: isEqual, ...hashes };
  }
  return {
    name: 'repeatability',
    holds: agreeing === names.length && names.length > 0,
    ratios: {},
    ours,
    peers: [],
    n: names.length,
    machine: machine(),
  };
}

/** By the name of a variant of `experiments/learning/`: all algorithms, those with a memory too. */
async function variantsByAlgorithm(): Promise<Record<string, ResolvedVariant>> {
  const variants: Record<string, ResolvedVariant> = {};
  for (const task of ['spread', 'one-seat-spread']) {
    const { experiment } = await benchSpec(`learning/${task}`, BUDGET);
    Object.assign(variants, experiment.variants);
  }
  const trained = new Set(Object.values(variants).map(({ algorithm }) => algorithm.name));
  for (const name of Object.keys(ALGORITHMS)) {
    if (!trained.has(name)) note(`${name} is in no experiment of experiments/learning: it is not measured`);
  }
  return Object.fromEntries(Object.entries(variants).map(([name, variant]) => [name, withGrain(variant)]));
}

function withGrain(variant: ResolvedVariant): ResolvedVariant {
  if (!('gradient_grain' in variant.algorithm)) return variant;
  return { ...variant, algorithm: { ...variant.algorithm, gradient_grain: GRAIN } };
}

function settingsOf(variant: ResolvedVariant): RoundSettings[] {
  const { algorithm } = variant;
  const { grainRows, chunkRows: usual } = DEFAULT_REGISTRIES.algorithms[algorithm.name]!.gradientRows(
    algorithm,
    openWorld(variant, DEFAULT_REGISTRIES),
  );
  // Beside what is computed at once when nothing is said: one grain, and two.
  const chunks = [grainRows, 2 * grainRows].filter((rows) => rows < usual);
  return [
    ...SAMPLERS.map((samplerProcesses) => ({ samplerProcesses })),
    ...chunks.map((chunkRows) => ({ samplerProcesses: 1, chunkRows })),
  ];
}

const textOf = ({ samplerProcesses, chunkRows }: RoundSettings): string =>
  `${samplerProcesses} samplers${chunkRows === undefined ? '' : `, ${chunkRows} rows at once`}`;

function lastHash(variant: ResolvedVariant, settings: RoundSettings): Promise<string> {
  return inTrainingProcess(async (process) => {
    const run = new PlainRun(variant, { seed: 0, process });
    let hash = '';
    for (let round = 0; round < variant.budget.rounds; round += 1) hash = (await run.train(settings)).checkpointHash;
    return hash;
  });
}
