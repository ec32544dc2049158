import { describe, expect, it } from 'vitest';
import { decideThroughRun } from '../../test/support/strategy-history.ts';
import { evidenceAtStart, SITUATIONS } from '../../test/support/strategy-situation.ts';
import { keyFrom, PURPOSE, RandomStream } from '../../simulators/random.ts';
import { noveltyOf, parameterDistance } from '../failures/admission/novelty.ts';
import { mean } from '../statistics/moments.ts';
import type { Evidence, Strategy } from './contract.ts';
import { pooledSimulators } from './fifo-pool.ts';
import { noveltyGenerator } from './novelty-generator.ts';

const { world, ranges } = SITUATIONS.spread;
const SEED = 1;
const OPTIONS = { size: 5, added: 2, draws: 8, every_rounds: 2 };
const strategy: Strategy = noveltyGenerator;
const start = evidenceAtStart(strategy, SITUATIONS.spread, OPTIONS);
const steps = decideThroughRun(strategy, { start, situation: SITUATIONS.spread, seed: SEED });
const distance = parameterDistance(world.parameters, ranges);
const compiled = ({ simulator }: { readonly simulator: Parameters<Evidence['compile']>[0] }) =>
  world.compile(simulator);

describe('novelty_generator', () => {
  it('lets the draws in that are farther from the pool than the others, on average and the first of all', () => {
    expect(steps.length).toBeGreaterThan(5);
    for (const { proposal, decision } of steps.slice(1)) {
      const pool = pooledSimulators(proposal.state).map((simulator) => world.compile(simulator));
      const names = decision.pool.map(({ name }) => name);
      const novelties = proposal.candidates.map((candidate) => noveltyOf(compiled(candidate), pool, distance));
      const isIn = proposal.candidates.map(({ name }) => names.includes(name));
      const chosen = novelties.filter((_, index) => isIn[index]);
      expect(chosen).toHaveLength(OPTIONS.added);
      expect(mean(chosen)).toBeGreaterThan(mean(novelties.filter((_, index) => !isIn[index])));
      expect(Math.max(...chosen)).toBe(Math.max(...novelties));
    }
  });

  it('lets no look-alikes in together: the second is the farthest from pool and first', () => {
    for (const { proposal, decision } of steps.slice(1)) {
      const pool = pooledSimulators(proposal.state).map((simulator) => world.compile(simulator));
      const entered = decision.pool.slice(OPTIONS.size - OPTIONS.added, OPTIONS.size).map(compiled);
      const second = noveltyOf(entered[1]!, [...pool, entered[0]!], distance);
      for (const candidate of proposal.candidates.filter(
        ({ name }) => name !== decision.pool[OPTIONS.size - OPTIONS.added]!.name,
      )) {
        expect(noveltyOf(compiled(candidate), [...pool, entered[0]!], distance)).toBeLessThanOrEqual(second);
      }
    }
  });

  it('compares so many draws for each that enters, and takes all that fill up the pool at the start', () => {
    const [first, ...later] = steps;
    expect(first!.decision.judgements!.every(({ refusal }) => refusal === null)).toBe(true);
    for (const { proposal, decision } of later) {
      expect(proposal.candidates).toHaveLength(OPTIONS.added * OPTIONS.draws);
      expect(decision.judgements!.filter(({ refusal }) => refusal === null)).toHaveLength(OPTIONS.added);
    }
  });

  it('never looks at how anything went: it decides the same where there is nothing to look at', () => {
    const unread = ['training', 'members', 'samples', 'mined'];
    for (const [index, { evidence, proposal, decision }] of steps.entries()) {
      const blind = new Proxy(evidence, {
        get: (target, key, receiver) => {
          if (unread.includes(String(key))) throw new Error(`it reads ${String(key)}`);
          return Reflect.get(target, key, receiver) as unknown;
        },
      });
      const random = new RandomStream(keyFrom(SEED, PURPOSE.strategy, evidence.roundIndex, 0));
      const again = strategy.propose(steps[index - 1]?.decision.state ?? null, blind, random);
      expect(again).toEqual(proposal);
      expect(strategy.decide(again, blind, {}, random)).toEqual(decision);
    }
    expect(steps.some(({ evidence }) => evidence.training.length > 0)).toBe(true);
  });
});
