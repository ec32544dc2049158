import { describe, expect, it } from 'vitest';
import { failureName, type Mined } from '../../learning/failures/contract.ts';
import type { CandidateGenerator, GeneratorContext, Kept } from '../../learning/failures/generators/contract.ts';
import { GENERATORS } from '../../learning/failures/generators/registry.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { contextOf, FAILING_SITUATIONS, madeUpMined } from '../support/made-up-mined.ts';

// What every generator promises. It is tested by being in the registry.

const ROUND = 5;
const COUNT = 8;

const throughJson = (kept: Kept) => JSON.parse(JSON.stringify(kept)) as Kept;

/** What it keeps and then proposes; all chance comes from the seed. */
function proposalOf(
  generator: CandidateGenerator,
  mined: Mined,
  context: GeneratorContext,
  { seed = 1, count = COUNT, store = (kept: Kept) => kept } = {},
) {
  const kept = store(generator.keep(mined, ROUND, context, new RandomStream(keyFrom(seed, 1))));
  return generator.propose(kept, count, context, new RandomStream(keyFrom(seed, 2)));
}

it('every generator is registered by its name and says what it does', () => {
  expect(Object.keys(GENERATORS).length).toBeGreaterThan(0);
  for (const [name, generator] of Object.entries(GENERATORS)) {
    expect(generator.name).toBe(name);
    expect(generator.summary).not.toBe('');
    expect(Number.isInteger(generator.probeEpisodes) && generator.probeEpisodes >= 0).toBe(true);
  }
});

const CASES = Object.values(GENERATORS).flatMap((generator) =>
  Object.entries(FAILING_SITUATIONS).map(([family, situation]) => ({
    name: generator.name,
    family,
    generator,
    situation,
  })),
);

describe.each(CASES)('$name in $family', ({ generator, situation }) => {
  const mined = madeUpMined(situation);
  const unknown = contextOf(situation);
  // Any function of the parameters will do: badness that grows with all of them.
  const predicted = { ...unknown, predict: (parameters: Float64Array) => parameters.reduce((sum, each) => sum + each) };
  const contexts = [unknown, predicted];

  it('makes simulators, each as the schema of the world writes it', () => {
    for (const context of contexts) {
      const proposed = proposalOf(generator, mined, context);
      expect(proposed.length).toBeGreaterThan(0);
      for (const { simulator, origin } of proposed) {
        expect(situation.world.simulatorSchema.parse(simulator)).toEqual(simulator);
        expect(origin).not.toBe('');
      }
    }
  });

  it('makes no two alike and none that is its parent', () => {
    for (const context of contexts) {
      const proposed = proposalOf(generator, mined, context, { count: 4 * COUNT });
      for (const [index, { simulator, parent }] of proposed.entries()) {
        const others = proposed.slice(0, index).map((each) => each.simulator);
        expect(others).not.toContainEqual(simulator);
        const played = mined.failures.filter(({ name }) => name === parent).map((failure) => failure.simulator);
        expect(played).not.toContainEqual(simulator);
      }
    }
  });

  it('never makes more than asked for', () => {
    for (const count of [0, 1, 3]) {
      expect(proposalOf(generator, mined, unknown, { count }).length).toBeLessThanOrEqual(count);
    }
  });

  it('names a failure that was mined, and where it happened', () => {
    for (const { failure, parent } of proposalOf(generator, mined, unknown)) {
      const index = mined.failures.findIndex((_, place) => failureName(ROUND, place) === failure);
      expect(mined.failures[index]?.name).toBe(parent);
    }
  });

  it('repeats itself under one seed, differs under another, and is stored as JSON without loss', () => {
    const first = proposalOf(generator, mined, predicted);
    expect(proposalOf(generator, mined, predicted)).toEqual(first);
    expect(proposalOf(generator, mined, predicted, { store: throughJson })).toEqual(first);
    expect(proposalOf(generator, mined, predicted, { seed: 2 })).not.toEqual(first);
    const kept = generator.keep(mined, ROUND, unknown, new RandomStream(keyFrom(1, 1)));
    expect(throughJson(kept)).toEqual(kept);
  });

  it('changes nothing that it is given', () => {
    const before = structuredClone(mined);
    const kept = generator.keep(mined, ROUND, unknown, new RandomStream(keyFrom(1, 1)));
    const keptBefore = structuredClone(kept);
    generator.propose(kept, COUNT, predicted, new RandomStream(keyFrom(1, 2)));
    expect(mined).toEqual(before);
    expect(kept).toEqual(keptBefore);
  });

  it('makes nothing where nothing failed', () => {
    expect(proposalOf(generator, { ...mined, failures: [] }, unknown)).toEqual([]);
  });
});
