import { describe, expect, it } from 'vitest';
import type { MiningPlan } from '../../learning/failures/contract.ts';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { type MiningOverview, noFailuresText } from './no-failures.ts';

const FIRST_MINING = 3;
const plan: MiningPlan = {
  episodes: 8,
  draws: 'fixed',
  select: 'lowest',
  share: 0.1,
  perSimulatorMax: 4,
  groupsMax: 3,
};

/** `pool` mines in this test, from some round on; `frozen` never does. */
const strategies = {
  frozen: { isDue: () => true, mining: () => null },
  pool: {
    isDue: (_: unknown, round: number) => round % FIRST_MINING === 0,
    mining: () => plan,
  },
};

const experiment = resolved(specDocument());
const everybody = { variant: undefined, seed: undefined };
const pool = { variant: 'pool', seed: 0 };

const told = (known: Partial<MiningOverview> = {}, scope: { variant?: string; seed?: number } = { variant: 'pool' }) =>
  noFailuresText(
    { resolved: experiment, runs: [], failures: [], mined: [], ...known },
    { ...everybody, ...scope },
    strategies,
  );

describe('why there are no failures', () => {
  it('is told of every variant that is asked about', () => {
    const lines = told({}, {}).split('\n');
    expect(lines.slice(1).map((line) => line.split(':')[0])).toEqual(['frozen', 'pool']);
    expect(lines[1]).toContain('the strategy frozen does not mine');
    expect(told().split('\n')).toHaveLength(2);
  });

  it('may be that it is too early', () => {
    expect(told({ runs: [{ ...pool, roundsCompleted: 2 }] })).toContain(`first after round ${FIRST_MINING}, and 2 are`);
  });

  it('may be that a run is over before anything would be mined: after the last round nothing is decided', () => {
    const short = resolved(specDocument(), [`budget.rounds=${FIRST_MINING}`]);
    expect(told({ resolved: short })).toContain('the strategy pool does not mine in these rounds');
  });

  it('may be that nothing can be learnt in what was mined', () => {
    const mined = [true, false].map((isImpossible) => ({ ...pool, isImpossible }));
    expect(told({ mined })).toContain('2 simulators mined, 1 of them impossible, and no episode was a failure');
  });

  it('may be that another group was asked for, and which there are is told of the runs asked about', () => {
    const failures = [
      { ...pool, group: 2 },
      { ...pool, group: 0 },
      { ...pool, seed: 1, group: 5 },
    ];
    expect(told({ failures }, { variant: 'pool', seed: 0 })).toContain('in groups 0, 2.');
    expect(told({ failures }, { variant: 'pool', seed: 1 })).toContain('in group 5.');
  });
});
