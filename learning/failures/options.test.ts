import { describe, expect, it } from 'vitest';
import { EVICTIONS } from './admission/eviction.ts';
import { EDIT_KINDS } from './generators/edits/registry.ts';
import { GENERATORS } from './generators/registry.ts';
import { failureDrivenSchema, type MiningOptions } from './options.ts';
import { PREDICTED_SCORES } from './prediction/predicted-score.ts';

const KIND = 'failure_driven';
const resolved = failureDrivenSchema.parse({ kind: KIND });

describe('the options of failure_driven', () => {
  it('show every default when written out, and resolve to themselves', () => {
    expect(failureDrivenSchema.parse(resolved)).toEqual(resolved);
    expect(Object.values(resolved)).not.toContain(undefined);
    expect(Object.keys(resolved.mining)).toHaveLength(7);
  });

  it('take no mining as a word, and half a mining as one with the other defaults', () => {
    expect(failureDrivenSchema.parse({ kind: KIND, mining: 'none' }).mining).toBe('none');
    // In a variant null would take the key away, and with it the wish to mine nothing.
    expect(failureDrivenSchema.safeParse({ kind: KIND, mining: null }).success).toBe(false);
    const { mining } = failureDrivenSchema.parse({ kind: KIND, mining: { groups: 1 } });
    expect(mining).toEqual({ ...(resolved.mining as MiningOptions), groups: 1 });
  });

  it('take every name there is of a score, an eviction, a generator and an edit', () => {
    const named = {
      score: [...Object.keys(PREDICTED_SCORES), 'none'],
      eviction: Object.keys(EVICTIONS),
      generator: Object.keys(GENERATORS),
      edit_kinds: EDIT_KINDS.map((kind) => [kind]),
    };
    for (const [key, values] of Object.entries(named)) {
      expect(values.length).toBeGreaterThan(1);
      for (const value of values) {
        expect(failureDrivenSchema.parse({ kind: KIND, [key]: value })).toEqual({ ...resolved, [key]: value });
      }
    }
  });

  it('refuse what is not theirs, and what would mean nothing', () => {
    const wrong = [
      { scores: 'shortfall' },
      { mining: { every: 5 } },
      { mining: { share: 0 } },
      { edit_kinds: [] },
      { edit_scale: 0 },
      { fresh_share: 1 },
      { eviction: 'newest' },
      { novelty: -1 },
    ];
    for (const each of wrong) expect(failureDrivenSchema.safeParse({ kind: KIND, ...each }).success).toBe(false);
  });
});
