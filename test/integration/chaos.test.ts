import { expect, it } from 'vitest';
import { benchChaos } from '../../cli/bench/chaos.ts';

/** Long enough for the faults, which cease with the last: then the experiment ends in peace. */
const SET = ['seeds=[0]', 'budget={"rounds":6,"env_steps":307200}', 'evaluation.every_rounds=3'];
/** So many draw each component once. */
const KILLS = 8;

it('[P36][P100] an experiment ends with the rows of one that was left alone, though every component is killed, and all at once', async () => {
  const report = await benchChaos({ kills: KILLS, memory: 0, seed: 1, interval: 2, set: SET });
  expect(report).toMatchObject({
    holds: true,
    n: KILLS,
    ours: {
      'faults, by component': { 'everything at once': 1, supervisor: 1, worker: 1, temporal: 1, postgres: 1 },
      disturbed: { survivors: 0, unexpected: [] },
      undisturbed: { attempts: { done: expect.any(Number) } },
    },
  });
}, 300_000);
