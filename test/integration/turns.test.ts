import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Activities } from '../../activities/create-activities.ts';
import { scripted, type Script } from '../support/scripted-activities.ts';
import { startTestTemporal, type TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await startTestTemporal();
});
afterAll(() => temporal.stop());

/** Longer than it takes to have the next step of a run in the queue. */
const TURN_MS = 250;

type Scripted = Script & { readonly experimentId: string };

async function start({ experimentId }: Scripted, input: { historyEventsMax?: number } = {}): Promise<void> {
  await temporal.client.workflow.start('runExperiment', {
    workflowId: `experiment/${experimentId}`,
    taskQueue: 'orchestrate',
    args: [{ experimentId, afterPosition: -1, ...input }],
  });
}

const handleOf = ({ experimentId }: Scripted) => temporal.client.workflow.getHandle(`experiment/${experimentId}`);
const ended = (experiment: Scripted): Promise<void> => handleOf(experiment).result();

/** Activities for several experiments: each call goes to those of the one that its input names. */
function together(experiments: readonly Scripted[]): Activities {
  const all = experiments.map((experiment) => ({ ...experiment, ...scripted(experiment) }));
  const of = (input: { runId?: string; experimentId?: string }) =>
    all.find(({ experimentId }) => (input.experimentId ?? input.runId)!.startsWith(experimentId))!.activities;
  const names = Object.keys(all[0]!.activities) as (keyof Activities)[];
  const entries = names.map((name) => [name, (input: never) => (of(input)[name] as (value: never) => unknown)(input)]);
  return Object.fromEntries(entries) as Activities;
}

/**
 * Two experiments of short rounds at one slot; the second comes when the first has the slot and everything in the queue.
 * @returns whose turn it was, from the first to the last round of the second
 */
async function turnsOf(first: Scripted, second: Scripted): Promise<string[]> {
  const turns: string[] = [];
  const onStep = async (step: string): Promise<void> => {
    if (!step.includes('train')) return;
    turns.push(step.slice(0, 1));
    await delay(TURN_MS);
  };
  const plan = { roundCount: 4, evaluateEveryRounds: 1_000 };
  const experiments = [first, second].map((experiment) => ({ ...experiment, plan, onStep }));
  const work = async (): Promise<void> => {
    await start(first);
    await expect.poll(() => turns.length, { timeout: 20_000 }).toBeGreaterThan(2);
    await start(second);
    await ended(second);
    await handleOf(first).terminate();
  };
  await temporal.withActivities(together(experiments), work, { slots: 1 });
  const name = second.experimentId.slice(0, 1);
  return turns.slice(turns.indexOf(name), turns.lastIndexOf(name) + 1);
}

const countOf = (turns: readonly string[], name: string): number => turns.filter((turn) => turn === name).length;

describe('experiments that share a worker with one slot', () => {
  it('take turns, whatever the number of their runs at once', async () => {
    const turns = await turnsOf(
      { experimentId: 'A', runCount: 20, page: { concurrencyMax: 20 } },
      { experimentId: 'B', runCount: 2, page: { concurrencyMax: 2 } },
    );
    expect(countOf(turns, 'B')).toBe(2 * 4);
    expect(countOf(turns, 'A')).toBeLessThanOrEqual(2 * countOf(turns, 'B'));
    expect(countOf(turns, 'A')).toBeGreaterThan(2);
  });

  it('of a more urgent priority come first, although others were queued before', async () => {
    const turns = await turnsOf(
      { experimentId: 'L', runCount: 20, page: { concurrencyMax: 20, priority: 5 } },
      { experimentId: 'U', runCount: 4, page: { concurrencyMax: 4, priority: 1 } },
    );
    expect(countOf(turns, 'U')).toBe(4 * 4);
    expect(countOf(turns, 'L')).toBeLessThanOrEqual(8);
  });
});

it('hundreds of runs of one experiment are each started once, in workflows of bounded histories', async () => {
  const runCount = 301;
  const experiment = { experimentId: 'M', runCount, page: { concurrencyMax: 20 } };
  const { rows, activities } = scripted(experiment);
  const started: string[] = [];
  // What a run computes is tested elsewhere: these have nothing left to do.
  const planRun: Activities['planRun'] = async (input) => {
    started.push(input.runId);
    rows.open.delete(input.runId);
    return activities.planRun(input);
  };
  await temporal.withActivities({ ...activities, planRun }, async () => {
    await start(experiment, { historyEventsMax: 500 });
    await ended(experiment);
    expect((await handleOf(experiment).describe()).historyLength).toBeLessThan(1_500);
  });
  expect(started).toHaveLength(runCount);
  expect(new Set(started).size).toBe(runCount);
}, 120_000);
