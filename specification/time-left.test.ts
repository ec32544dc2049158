import { describe, expect, it } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { attemptCosts, type TimedAttempt } from './attempt-costs.ts';
import { progressOf, type RunProgress, type SeenAttempt } from './progress.ts';
import type { RunWork } from './run-work.ts';
import { timeLeftS } from './time-left.ts';

const S = 1000;
/** Two rounds, the last of which is evaluated. */
const WORK: RunWork = {
  steps: [
    { kind: 'train_round', round: 0 },
    { kind: 'train_round', round: 1 },
    { kind: 'finish_run', round: 2 },
  ],
  weights: { first_pool: 1, adapt_pool: 5, train_round: 10, evaluate_panels: 4, finish_run: 20 },
  envSteps: 200,
  rounds: 2,
};
const works = new Map([
  ['small', WORK],
  ['large', { ...WORK, weights: { ...WORK.weights, train_round: 30 } }],
]);

function attempt(change: Partial<TimedAttempt>): TimedAttempt {
  return {
    runId: 'small/0',
    variant: 'small',
    kind: 'train_round',
    round: 0,
    startedMs: 0,
    endedMs: 10 * S,
    isDone: true,
    previousEndedMs: null,
    share: null,
    ...change,
  };
}

function run(change: Partial<RunProgress>): RunProgress {
  return {
    id: 'small/0',
    variant: 'small',
    state: 'QUEUED',
    roundsCompleted: 0,
    envSteps: 0,
    progressEnvSteps: null,
    startedAt: null,
    finishedAt: null,
    ...change,
  };
}

describe('costs of attempts', () => {
  it('are unknown while nothing has been done', () => {
    expect(attemptCosts(works, [], 0)).toBeNull();
    expect(attemptCosts(works, [attempt({ isDone: false })], 0)).toBeNull();
  });

  it('count the time of failed attempts', () => {
    const failed = attempt({ endedMs: 4 * S, isDone: false });
    expect(attemptCosts(works, [failed, attempt({})], 0)!.of('small', 'train_round')).toBeCloseTo(14);
  });

  it('take what is nearest where a variant has not done a kind of step yet', () => {
    const trained = attemptCosts(works, [attempt({})], 0)!;
    expect(trained.of('large', 'train_round')).toBeCloseTo(3 * 10);
    expect(trained.of('small', 'finish_run')).toBeCloseTo(2 * 10);
    const evaluated = attempt({ kind: 'evaluate_panels', endedMs: 1 * S });
    expect(attemptCosts(works, [attempt({}), evaluated], 0)!.of('small', 'finish_run')).toBeCloseTo((20 / 4) * 1);
  });

  it('are not moved far by one attempt that took much longer than the others', () => {
    const slow = attempt({ endedMs: 1000 * S });
    const costs = attemptCosts(works, [slow, attempt({}), attempt({})], 0)!;
    expect(costs.of('small', 'train_round')).toBeCloseTo((30 + 10 + 10) / 3);
  });

  it('are told by the part of a first round that is done', () => {
    const inHand = attempt({ endedMs: null, share: 0.5 });
    expect(attemptCosts(works, [inHand], 6 * S)!.of('small', 'train_round')).toBeCloseTo(12);
    expect(attemptCosts(works, [attempt({ endedMs: null, share: 0.01 })], 6 * S)).toBeNull();
  });
});

describe('the time left', () => {
  const done = [attempt({}), attempt({ kind: 'finish_run', round: 2, endedMs: 5 * S })];
  const costs = attemptCosts(works, done, 0)!;
  const input = { works, costs, attempts: [], runsAtOnce: 2, nowMs: 0 };
  const wholeS = 10 + 10 + 5;

  it('is that of the longest place when the window drains', () => {
    const three = [run({}), run({ id: 'small/1' }), run({ id: 'small/2' })];
    expect(timeLeftS({ ...input, runs: three.slice(0, 1) })).toBeCloseTo(wholeS);
    expect(timeLeftS({ ...input, runs: three.slice(0, 2) })).toBeCloseTo(wholeS);
    expect(timeLeftS({ ...input, runs: three })).toBeCloseTo(2 * wholeS);
  });

  it('leaves out what is done, what is over and what is paused', () => {
    const over = run({ id: 'small/1', state: 'FAILED' });
    const paused = run({ id: 'small/2', state: 'PAUSED' });
    const half = run({ state: 'RUNNING', roundsCompleted: 1 });
    expect(timeLeftS({ ...input, runs: [half, over, paused] })).toBeCloseTo(10 + 5);
    expect(timeLeftS({ ...input, runs: [over, paused] })).toBe(0);
  });

  it('counts the step in hand by what is left of it, and an overdue one a little', () => {
    const last = run({ state: 'RUNNING', roundsCompleted: 2 });
    const finishing = attempt({ kind: 'finish_run', round: 2, endedMs: null, isDone: false });
    const leftAt = (seconds: number): number =>
      timeLeftS({ ...input, runs: [last], attempts: [finishing], nowMs: seconds * S });
    expect(leftAt(2)).toBeCloseTo(3);
    expect(leftAt(20)).toBeCloseTo(2);
  });

  it('counts the usual pause between attempts', () => {
    const paused = [3, 4, 100].map((seconds) =>
      attempt({ startedMs: seconds * S, endedMs: (seconds + 10) * S, previousEndedMs: 0 }),
    );
    const slow = attemptCosts(works, paused, 0)!;
    expect(slow.betweenS).toBe(4);
    const runs = [run({ state: 'RUNNING', roundsCompleted: 1 })];
    expect(timeLeftS({ ...input, costs: slow, runs })).toBeCloseTo(10 + 4 + 20 + 4);
  });
});

describe('progress', () => {
  const experiment = resolved(specDocument());
  const begun: SeenAttempt = attempt({ runId: 'frozen/0', variant: 'frozen', kind: 'train_round', endedMs: null });
  const blockSteps = 256 * 25;
  const running = run({
    id: 'frozen/0',
    variant: 'frozen',
    state: 'RUNNING',
    startedAt: new Date(0),
    progressEnvSteps: 2 * blockSteps,
  });
  const waiting = run({ id: 'pool/0', variant: 'pool' });

  it('is nothing before anything was measured, and everything when all runs are over', () => {
    const nothing = progressOf({ resolved: experiment, runs: [waiting], attempts: [], nowMs: 0 });
    expect(nothing).toMatchObject({ doneCount: 0, share: 0, stepsPerSecond: 0, remainingS: null });
    const over = [run({ ...waiting, state: 'SUCCEEDED' }), run({ ...running, state: 'FAILED' })];
    const all = progressOf({ resolved: experiment, runs: over, attempts: [begun], nowMs: 10 * S });
    expect(all).toMatchObject({ doneCount: 2, share: 1, remainingS: 0, running: [] });
  });

  it('is told from the first round in hand on', () => {
    const { share, stepsPerSecond, remainingS } = progressOf({
      resolved: experiment,
      runs: [running, waiting],
      attempts: [begun],
      nowMs: 10 * S,
    });
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1 / 2);
    expect(stepsPerSecond).toBeGreaterThan(0);
    expect(stepsPerSecond).toBeLessThan((2 * blockSteps) / 10);
    expect(remainingS).toBeGreaterThan(10);
  });
});
