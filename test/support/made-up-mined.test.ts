import { describe, expect, it } from 'vitest';
import { FAILING_SITUATIONS, madeUpMined } from './made-up-mined.ts';

describe.each(Object.entries(FAILING_SITUATIONS))('made-up failures of %s', (_, situation) => {
  const mined = madeUpMined(situation);

  it('come from several simulators, with all that was played', () => {
    expect(new Set(mined.failures.map(({ name }) => name)).size).toBeGreaterThan(1);
    expect(mined.statePaths.length).toBeGreaterThan(0);
    for (const { actions, rewards, values, states, keyMoment } of mined.failures) {
      const steps = rewards.length;
      expect([actions.length, values.length, states.length]).toEqual([steps, steps + 1, steps + 1]);
      expect(states.every((state) => state.length === mined.statePaths.length && state.every(Number.isFinite))).toBe(
        true,
      );
      expect(keyMoment).toBeGreaterThanOrEqual(0);
      expect(keyMoment).toBeLessThan(steps);
    }
    expect(mined.samples.length).toBeGreaterThan(mined.failures.length);
  });

  it('have one medoid a group, the worst first', () => {
    const scores = mined.failures.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => one - other));
    const medoids = mined.failures.filter(({ isMedoid }) => isMedoid).map(({ group }) => group);
    expect(medoids.toSorted()).toEqual([...new Set(mined.failures.map(({ group }) => group))].toSorted());
  });
});
