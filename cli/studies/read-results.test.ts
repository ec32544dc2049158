import { recordFrom } from '../../learning/results/column.ts';
import { describe, expect, it } from 'vitest';
import { resultRow, scores } from '../../test/support/result-row.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { csvText } from '../table-formats/listing.ts';
import { metricValue, RESULT_COLUMNS, SCORES } from '../../learning/results/result-columns.ts';
import { confidenceInterval, summarize } from '../../learning/results/result-summary.ts';
import { resultsDocument } from '../../learning/results/results-document.ts';
import { SIMULATOR_RETURN_COLUMNS } from '../results/show-simulator-returns.ts';
import { readCurve, readResults, readSensitivities, readSimulatorReturns } from './read-results.ts';

const rows = [
  resultRow({ seed: 0, last: scores({ relativeGap: NaN, verdict: 'untrained' }) }),
  resultRow({ seed: 1, last: scores({ heldoutReturn: -9.5, heldoutGain: 4.5 }), reason: 'NaN' }),
  resultRow({ seed: 2, state: 'FAILED', last: null, best: null, wallS: null }),
  ...[3, 4, 5].map((seed) =>
    resultRow({ seed, last: scores({ heldoutReturn: -11 - seed / 7, heldoutGain: 3 - seed / 7 }) }),
  ),
];
const experiment = { id: 'example-1', name: 'example', version: 1, resultHash: 'abc' };
const written = jsonText(resultsDocument({ experiment, rows, digest: null }, 'heldout_return'), 2);
const read = readResults(written);

describe('a results document that is read back', () => {
  it('has every cell that was written, with NaN as a number', () => {
    expect(read.map(({ cells }) => cells)).toEqual(rows.map((row) => recordFrom(RESULT_COLUMNS, row)));
    expect(read[0]!.cells['relative_gap']).toBeNaN();
  });

  it('keeps text as text, even where it says NaN', () => {
    expect(read[1]!.row.reason).toBe('NaN');
  });

  it('has every score of both checkpoints, and none where nothing was measured', () => {
    expect(read.map(({ row }) => [row.last, row.best])).toEqual(rows.map(({ last, best }) => [last, best]));
  });

  it('is summarized like the rows it was written from', () => {
    const readRows = read.map(({ row }) => row);
    const metrics = [
      ...SCORES.map(([key]) => key).filter((key) => key !== 'verdict'),
      'wall_s',
      'attempts',
      'peak_rss_mib',
    ];
    for (const metric of metrics) {
      expect(readRows.map((row) => metricValue(row, metric))).toEqual(rows.map((row) => metricValue(row, metric)));
      expect(summarize(readRows, metric)).toEqual(summarize(rows, metric));
    }
    expect(confidenceInterval(readRows, 'relative_gap')).toEqual(confidenceInterval(rows, 'relative_gap'));
  });
});

describe('a curve that is read back', () => {
  it('has the fields of its rows, with NaN as a number', () => {
    const text = jsonText([
      {
        variant: 'a',
        seed: 3,
        round: 1,
        env_steps: 1000,
        train_return: NaN,
        validation_return: null,
        heldout_return: -2,
        worst_heldout: -3,
        train_success: 0.5,
        zero_variance_share: 1,
        policy_entropy: 'NaN',
        dwelling: 0.25,
        indifference: null,
      },
    ]);
    expect(readCurve(text)).toEqual([
      {
        variant: 'a',
        seed: 3,
        round: 1,
        envSteps: 1000,
        trainReturn: NaN,
        validationReturn: null,
        heldoutReturn: -2,
        worstHeldout: -3,
        trainSuccess: 0.5,
        zeroVarianceShare: 1,
        policyEntropy: NaN,
        dwelling: 0.25,
        indifference: null,
      },
    ]);
  });
});

it('sensitivities that are read back have the fields of their rows: names as text, NaN as a number, null as nothing', () => {
  const common = { variant: 'NaN', seed: 3, kind: 'rule', name: 'rules.mass', factor: 0.95, episodes: 50 };
  const text = jsonText([{ ...common, return_mean: -2, loss: NaN, is_cliff: null }]);
  expect(readSensitivities(text)).toEqual([{ ...common, returnMean: -2, loss: NaN, isCliff: null }]);
});

it('returns on single simulators that are read back are those that were written, to the last bit, NaN as a number', () => {
  const common = { variant: 'pool', panel: 'test', checkpoint: 'last', episodes: 320 } as const;
  const written = [
    { ...common, seed: 1000, simulator: 'draw_01', returnMean: 0.1 + 0.2, returnStd: NaN },
    { ...common, seed: 1001, simulator: '7', returnMean: -1 / 3, returnStd: 1e-7 },
  ];
  expect(readSimulatorReturns(csvText(SIMULATOR_RETURN_COLUMNS, written))).toEqual(written);
  expect(readSimulatorReturns(csvText(SIMULATOR_RETURN_COLUMNS, []))).toEqual([]);
});
