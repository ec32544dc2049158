import { describe, expect, it } from 'vitest';
import { RESULT_COLUMNS } from '../../../learning/results/result-columns.ts';
import { CHECKPOINT_MEASURES, otherColumns, RUN_MEASURES } from './result-groups.ts';

const COLUMNS = RESULT_COLUMNS.map(({ key }) => key);

describe('the numbers of a run', () => {
  it('are explained, every column of the result table, and none that it lacks', () => {
    expect(otherColumns(COLUMNS)).toEqual([]);
    const best = CHECKPOINT_MEASURES.map(({ column }) => `best_${column}`);
    const explained = [...CHECKPOINT_MEASURES, ...RUN_MEASURES.flatMap(([, measures]) => measures)];
    expect(COLUMNS).toEqual(expect.arrayContaining([...best, ...explained.map(({ column }) => column)]));
  });

  it('are shown before anybody has explained them', () => {
    expect(otherColumns([...COLUMNS, 'brand_new'])).toEqual(['brand_new']);
  });
});
