import { describe, expect, it } from 'vitest';
import type { RunPool } from '../infra/postgres/pool-rows.ts';
import { failureDriven } from '../learning/strategies/failure-driven.ts';
import type { CandidateScores, Strategy } from '../learning/strategies/contract.ts';
import { randomGenerator } from '../learning/strategies/random-generator.ts';
import { simulatorHash } from '../specification/identity.ts';
import { FAILING_SITUATIONS } from '../test/support/made-up-mined.ts';
import { decideThroughRun, type Step } from '../test/support/strategy-history.ts';
import { evidenceAtStart } from '../test/support/strategy-situation.ts';
import { createSimulatorHasher } from './simulator-hasher.ts';
import { decisionRecords } from './decision-records.ts';

const situation = FAILING_SITUATIONS.spread;
const { world } = situation;

function stepsOf(strategy: Strategy, written: object): Step[] {
  const start = evidenceAtStart(strategy, situation, { size: 5, added: 2, every_rounds: 4, ...written });
  return decideThroughRun(strategy, { start, situation, seed: 1 });
}

const failing = stepsOf(failureDriven, {
  eviction: 'least_contribution',
  draws: 2,
  edits: 2,
  mining: { every_rounds: 4 },
});
const plain = stepsOf(randomGenerator, {});

/** Nobody is crossed in, so that what is decided is what is played. */
function recordsOf({ proposal, decision }: Step, known: RunPool | null, scores: CandidateScores = {}) {
  return decisionRecords({ world, hashOf: createSimulatorHasher(world) }, known, {
    proposal,
    decision,
    scores,
    played: decision.pool,
  });
}

/** The pool of a decision as it is read back later. */
function storedPool(step: Step): RunPool {
  const { entries } = recordsOf(step, null);
  const { pool, members, state, episodeRule } = step.decision;
  const stored = entries.map((entry, index) => ({ ...entry, simulator: pool[index]!.simulator }));
  return { round: step.evidence.roundIndex, entries: stored, members, state, episodeRule };
}

describe('what is stored of a decision', () => {
  it('holds every entry of the pool under its hash, null for what it has not', () => {
    for (const step of failing) {
      const { entries } = recordsOf(step, null);
      expect(entries).toEqual(
        step.decision.pool.map(({ simulator, failure, contribution, ...entry }) => ({
          ...entry,
          simulatorHash: simulatorHash(world, simulator),
          failure: failure ?? null,
          contribution: contribution ?? null,
        })),
      );
    }
    const last = recordsOf(failing.at(-1)!, null).entries;
    for (const key of ['failure', 'contribution'] as const) {
      expect(new Set(last.map((entry) => entry[key] === null))).toEqual(new Set([true, false]));
    }
  });

  it('holds every candidate with its failure, what the strategy thought of it, and what was played of it', () => {
    for (const step of failing) {
      const { candidates: proposed } = step.proposal;
      const probe = { episodes: 4, returnMean: -3, returnStd: NaN, lengthMean: 25, successRate: 0 };
      const probed = proposed.at(-1)!.name;
      const { candidates } = recordsOf(step, null, { [probed]: probe });
      const judgements = step.decision.judgements!;
      expect(candidates).toEqual(
        proposed.map(({ simulator, ...candidate }, index) => {
          const { score, novelty, refusal } = judgements[index]!;
          const hash = simulatorHash(world, simulator);
          return {
            ...candidate,
            ...{ simulatorHash: hash, score, novelty, refusal, probe: candidate.name === probed ? probe : null },
          };
        }),
      );
    }
    expect(failing.at(-1)!.proposal.candidates.some(({ failure }) => failure !== undefined)).toBe(true);
  });

  it('lets every candidate of a strategy that judges nobody in that is in its pool, and no other', () => {
    const step = plain.at(-1)!;
    const [gone] = step.proposal.candidates;
    const pool = step.decision.pool.filter(({ name }) => name !== gone!.name);
    expect(step.decision.judgements).toBeUndefined();
    const { candidates } = recordsOf({ ...step, decision: { ...step.decision, pool } }, null);
    expect(candidates.map(({ refusal }) => refusal)).toEqual(['not chosen', null]);
    expect(
      candidates.every(({ score, novelty, probe }) => Number.isNaN(score) && Number.isNaN(novelty) && !probe),
    ).toBe(true);
  });

  it('holds the content of every simulator that it names', () => {
    for (const step of [...failing, ...plain]) {
      const { entries, candidates, simulators } = recordsOf(step, null);
      const hashes = new Set(simulators.map(({ hash }) => hash));
      expect([...entries, ...candidates].filter(({ simulatorHash: hash }) => !hashes.has(hash))).toEqual([]);
      for (const { hash, simulator } of simulators) expect(hash).toBe(simulatorHash(world, simulator));
    }
  });
});

describe('who left the pool', () => {
  it('is nobody when a run starts', () => {
    expect(recordsOf(failing[0]!, null).evictions).toEqual([]);
  });

  it.each([
    ['one that measures what it taught', failing],
    ['one that measures nothing', plain],
  ])('is told by the strategy, %s, with the hash that it had', (_, steps) => {
    for (const [index, step] of steps.slice(1).entries()) {
      const known = storedPool(steps[index]!);
      const told = step.decision.evictions!;
      expect(told.length).toBeGreaterThan(0);
      const hashOf = (name: string) => known.entries.find((entry) => entry.name === name)!.simulatorHash;
      const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
      expect(recordsOf(step, known).evictions.toSorted(byName)).toEqual(
        told.map((eviction) => ({ ...eviction, simulatorHash: hashOf(eviction.name) })).toSorted(byName),
      );
    }
  });

  it('is no longer chosen where the strategy does not say why, and never who stays', () => {
    const known = storedPool(plain[0]!);
    const { evictions: told, ...decision } = plain[1]!.decision;
    const { evictions } = recordsOf({ ...plain[1]!, decision }, known);
    expect(evictions.map(({ name, reason }) => [name, reason])).toEqual(
      told!.map(({ name }) => [name, 'no longer chosen']),
    );
    const { pool } = plain[0]!.decision;
    const staying = { ...decision, pool, evictions: [{ name: pool[0]!.name, reason: 'told too much' }] };
    expect(recordsOf({ ...plain[1]!, decision: staying }, known).evictions).toEqual([]);
  });
});
