import { describe, expect, it } from 'vitest';
import { madeUpChild, madeUpFailure } from '../../test/support/made-up-failure.ts';
import { FAILURE_COLUMNS, FAILURE_TABLE, failureRecord, madeRecord } from './failure-columns.ts';
import { failuresText } from './failures-text.ts';
import { csvText, listingText } from '../table-formats/listing.ts';

const failure = madeUpFailure({ return: 1 / 3, isMedoid: false, candidateCount: 7, admittedCount: 3 });

describe('the columns of failures', () => {
  it('are in CSV in full precision, under the whole id', () => {
    const [titles, cells] = csvText(FAILURE_COLUMNS, [failure])
      .split('\r\n')
      .map((line) => line.split(','));
    const row = Object.fromEntries(titles!.map((title, index) => [title, cells![index]!]));
    expect(row).toMatchObject({
      failure: 'example-1/pool/0:10.1',
      return: String(1 / 3),
      steps: '3',
      is_medoid: 'false',
    });
    expect([row['chance_return'], row['known_return'], row['known_by']]).toEqual(['-14', '-6', 'earlier']);
    expect([row['made'], row['entered']]).toEqual(['7', '3']);
  });

  it('are in a table short, and mark only who stands for a group', () => {
    const text = listingText(FAILURE_TABLE, [failure, madeUpFailure({ index: 1, group: 2 })], 'table');
    expect(text).toMatch(/\n.* 10\.1 .* 0\.33 .* 1 of 3 {2}0 {2}.* 7 +3\n/);
    expect(text).toMatch(/ 10\.2 .* 2 \* /);
  });

  it('come in JSON with all that it takes to play it again', () => {
    const { key, actions, features, rewards, values } = failure;
    expect(failureRecord(failure)).toMatchObject({ key, actions, features, rewards, values, key_moment: 1 });
    expect(madeRecord(madeUpChild())).toMatchObject({ parents: ['top'], refusal: null, left_round: null });
  });
});

it('the list says which simulators are left out as impossible, and nothing where none are', () => {
  const { runId, variant, seed, round, simulatorHash, mined } = failure;
  const simulator = { runId, variant, seed, round, simulatorHash, ...mined };
  const text = (isImpossible: boolean) =>
    failuresText({
      experiment: { id: 'e' },
      failures: [failure],
      mined: [{ ...simulator, name: 'far', isImpossible }],
    });
  expect(text(true)).toMatch(/no more than chance: far\./);
  expect(text(false)).not.toContain('far');
});
