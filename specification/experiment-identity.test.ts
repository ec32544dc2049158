import { expect, it } from 'vitest';
import { experimentHash, forkedVariantHash } from './experiment-identity.ts';
import { contentHash } from './identity.ts';

const experiment = { name: 'example', result_hash: 'f00d', seeds: [0, 1] };
const origin = { variantHash: 'beef', round: 3 };

it('an experiment is its name, what it measures and its seeds, and what it goes on from if it does', () => {
  expect(experimentHash(experiment)).toBe(contentHash(experiment));
  const others = [
    experimentHash({ ...experiment, seeds: [0, 1, 2] }),
    experimentHash(experiment, [origin]),
    experimentHash(experiment, [{ ...origin, round: 4 }]),
  ];
  expect(new Set([experimentHash(experiment), ...others]).size).toBe(4);
});

it('a forked run equals neither one of its content that was not forked, nor one forked elsewhere', () => {
  const hashes = [
    'cafe',
    forkedVariantHash('cafe', origin),
    forkedVariantHash('cafe', { ...origin, round: 4 }),
    forkedVariantHash('cafe', { ...origin, variantHash: 'beee' }),
    forkedVariantHash('caff', origin),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(forkedVariantHash('cafe', { ...origin })).toBe(hashes[1]);
});
