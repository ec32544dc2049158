import { describe, expect, it } from 'vitest';
import { failureId, parseFailureId } from './failure-id.ts';

describe('the id of a failure', () => {
  it('says its run, its round and its place, and is read again', () => {
    const failure = { runId: 'example-1/pool/3', round: 10, index: 1 };
    expect(failureId(failure)).toBe('example-1/pool/3:10.2');
    expect(parseFailureId(failureId(failure))).toEqual(failure);
  });

  it('is not that of a run or of an experiment, and counts places from 1', () => {
    const texts = ['example-1', 'example-1/pool/3', 'example-1/pool/3:10', ':10.2', 'example-1/pool/3:10.0', 'a:1e3.1'];
    for (const text of texts) expect(parseFailureId(text)).toBeNull();
  });
});
