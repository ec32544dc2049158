import type { NamedSimulator } from '../learning/strategies/contract.ts';
import type { Parameter, World } from '../simulators/contract.ts';
import { strategyEvidence, type StrategySetting } from './evidence.ts';
import { describeValue, type Finding } from './finding.ts';
import { listNames } from './nearest.ts';
import { formatPath, isRecord } from './path.ts';
import type { Registries } from './registries.ts';

/**
 * What draws of `randomization` would do wrong to the simulators that the strategy varies: ranges that none of them has a
 * number for, and held-out simulators that a draw can equal.
 * @param setting one whose ranges fit the world, and that the strategy finds nothing wrong with
 */
export function checkDraws(setting: StrategySetting, world: World, { strategies }: Registries): Finding[] {
  const varied = strategies[setting.strategy.kind]!.varied(strategyEvidence(setting, world, 0));
  return varied.length === 0 ? [] : [...idleRanges(setting, varied), ...drawnHeldOut(setting, varied, world)];
}

/** Ranges that would be drawn and change nothing. */
function idleRanges({ randomization }: StrategySetting, varied: readonly NamedSimulator[]): Finding[] {
  const numbers = varied.map(({ simulator }) => leavesOf(simulator));
  const names = listNames(varied.map(({ name }) => JSON.stringify(name)));
  return Object.keys(randomization)
    .filter((path) => numbers.every((leaves) => typeof leaves.get(path) !== 'number'))
    .map((path) => ({
      path: ['randomization', path],
      found: `a range for ${path}, which ${names} ${varied.length === 1 ? 'does' : 'do'} not have`,
      expected: 'ranges of which each fits a simulator that is varied',
      remedy: 'Remove the range (null in a variant), or vary a simulator whose partner has that number.',
    }));
}

/**
 * Held-out simulators that training may meet all the same. Only those count that a varied simulator differs from in whole
 * numbers (or in ranges of one value): a draw from an interval equals a given number with probability 0, and to train
 * around a physics that is held out is a fair experiment.
 */
function drawnHeldOut(
  { panels, simulators, randomization }: StrategySetting,
  varied: readonly NamedSimulator[],
  { parameters }: World,
): Finding[] {
  const sources = varied.map(({ name, simulator }) => ({ name, leaves: leavesOf(simulator) }));
  return (['validation', 'test'] as const).flatMap((panel) =>
    panels[panel].flatMap((name, index): Finding[] => {
      const path = ['panels', panel, index];
      const target = leavesOf(simulators[name]!);
      for (const source of sources) {
        const ranges = rangesThatReach(target, source.leaves, randomization, parameters);
        if (ranges.length > 0) return [{ path, ...drawnFinding(name, panel, source.name, ranges) }];
      }
      return [];
    }),
  );
}

function drawnFinding(name: string, panel: string, source: string, ranges: readonly [string, unknown][]) {
  const written = ranges.map(([path, range]) => `${formatPath(['randomization', path])} = ${describeValue(range)}`);
  return {
    found: `${JSON.stringify(name)} in ${panel}, which "${source}" becomes by a draw of ${written.join(' and ')}`,
    expected: 'held-out simulators that training never meets',
    remedy: `Narrow the range so that "${source}" cannot become "${name}", or hold another simulator out.`,
  };
}

/** The ranges whose draws can make one simulator equal to another; none when they cannot, or when both are equal anyhow. */
function rangesThatReach(
  wanted: Leaves,
  present: Leaves,
  ranges: StrategySetting['randomization'],
  parameters: readonly Parameter[],
): [string, unknown][] {
  const used: [string, unknown][] = [];
  for (const path of new Set([...wanted.keys(), ...present.keys()])) {
    const isSame = wanted.get(path) === present.get(path);
    const range = typeof present.get(path) === 'number' ? ranges[path] : undefined;
    if (range === undefined) {
      if (isSame) continue;
      return [];
    }
    const [low, high] = range;
    const value = wanted.get(path) as number;
    const isDiscrete = low === high || parameters.some((entry) => entry.path === path && entry.kind === 'integer');
    if (!(low <= value && value <= high) || (!isSame && !isDiscrete)) return [];
    if (!isSame) used.push([path, range]);
  }
  return used;
}

type Leaves = ReadonlyMap<string, unknown>;

/** Every number and word of a simulator by its path, e.g. `partners.1.landmark` or `scenarios.start.agents.0.1`. */
function leavesOf(value: unknown, prefix = ''): Leaves {
  if (!isRecord(value) && !Array.isArray(value)) return new Map([[prefix, value]]);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return new Map(entries.flatMap(([key, inner]) => [...leavesOf(inner, prefix === '' ? key : `${prefix}.${key}`)]));
}
