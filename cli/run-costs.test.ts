import { describe, expect, it } from 'vitest';
import { resultRow } from '../test/support/result-row.ts';
import { RESULT_COLUMNS } from './result-columns.ts';
import { totalEnvSteps } from './run-costs.ts';

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
});
