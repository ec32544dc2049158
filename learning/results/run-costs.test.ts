import { describe, expect, it } from 'vitest';
import { resultRow } from '../../test/support/result-row.ts';
import { RESULT_COLUMNS } from './result-columns.ts';
import { adaptEnvStepsShare, totalEnvSteps } from './run-costs.ts';

const costs = { training: 700, scoring: 300, mining: 50, evaluation: 4000 };

describe('the costs of a run', () => {
  it('stand in its row by purpose, and the total leaves out what only measures', () => {
    const cell = (row: ReturnType<typeof resultRow>, key: string) =>
      RESULT_COLUMNS.find((column) => column.key === key)!.value(row);
    for (const [purpose, steps] of Object.entries(costs)) {
      expect(cell(resultRow({ costs }), `${purpose}_env_steps`)).toBe(steps);
      expect(cell(resultRow({ costs: null }), `${purpose}_env_steps`)).toBeNull();
    }
    expect(totalEnvSteps({ costs })).toBe(costs.training + costs.scoring + costs.mining);
    expect(totalEnvSteps({ costs: null })).toBeNull();
  });

  it('are adapting where nobody learnt from them, as a share of the total, and of nothing there is no share', () => {
    expect(adaptEnvStepsShare({ costs })).toBe((costs.scoring + costs.mining) / totalEnvSteps({ costs })!);
    expect(adaptEnvStepsShare({ costs: { ...costs, scoring: 0, mining: 0 } })).toBe(0);
    expect(adaptEnvStepsShare({ costs: { ...costs, training: 0, scoring: 0, mining: 0 } })).toBeNull();
    expect(adaptEnvStepsShare({ costs: null })).toBeNull();
  });
});
