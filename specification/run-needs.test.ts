import { describe, expect, it } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';
import { runNeeds } from './run-needs.ts';

const ENV_STEPS = 1_000_000;

interface Asked {
  readonly samplers?: number | 'auto';
  readonly envSteps?: number;
}

function needsOf(algorithm: object, { samplers = 1, envSteps = ENV_STEPS }: Asked = {}) {
  const { variants, execution } = resolved({
    ...specDocument(),
    learners: [0, 1],
    simulators: {},
    panels: { train: ['base'], test: [] },
    variants: { frozen: { strategy: { kind: 'frozen', simulator: 'base' } } },
    algorithm,
    execution: { sampler_processes: samplers },
  });
  const machine = { processors: 8, runsAtOnce: 1 };
  return runNeeds(variants['frozen']!, DEFAULT_REGISTRIES, { ...machine, execution, envSteps });
}

describe('the memory of a run', () => {
  it('grows with what is kept of former blocks, up to its capacity', () => {
    const of = (capacity: number, envSteps: number) =>
      needsOf({ name: 'iql', replay: { capacity } }, { envSteps }).estimatedMib;
    const none = of(1, 1);
    const full = of(100_000, ENV_STEPS) - none;
    expect(of(200_000, ENV_STEPS) - none).toBeCloseTo(2 * full, 1);
    expect(of(100_000, 50_000) - none).toBeCloseTo(full / 2, 1);
    // Two seats: what each sees now and then with its identity, and a handful of numbers more.
    const { observationSize } = DEFAULT_REGISTRIES.families['simple_spread']!.open({ agents: 2 }).groups[0]!;
    const numbers = (full * 2 ** 20) / (4 * (100_000 - 1));
    expect(numbers).toBeGreaterThan(2 * 2 * observationSize);
    expect(numbers).toBeLessThan(2 * 2 * (observationSize + 2) + 10);
  });

  it('grows with its samplers', () => {
    const of = (samplers: number) => needsOf({ name: 'ippo' }, { samplers }).estimatedMib;
    expect(of(3) - of(2)).toBe(of(2) - of(1));
    expect(of(2)).toBeGreaterThan(of(1));
  });
});

it('an env step of the usual algorithm weighs one, and one with a memory more', () => {
  expect(needsOf({ name: 'ippo' }).trainingWeight).toBe(1);
  expect(needsOf({ name: 'ippo', recurrent: { units: 8 } }).trainingWeight).toBeGreaterThan(1);
});

it('a run whose update takes most of the time has one sampler where as many as pay are asked for', () => {
  const { count, why } = needsOf({ name: 'maddpg' }, { samplers: 'auto' }).samplers;
  expect(count).toBe(1);
  expect(why).toMatch(/^playing is about 4 % of the time/);
});
