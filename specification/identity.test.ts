import { describe, expect, test } from 'vitest';
import { resolved, specDocument } from '../test/support/spec-document.ts';
import { contentHash, simulatorHash } from './identity.ts';
import { openWorld } from './open-world.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';

/** Keys in order, no space, text as it is. */
test('a hash is the SHA-256 of the canonical text', () => {
  // `printf '%s' '{"a":[1,2.5],"b":"€"}' | sha256sum`
  expect(contentHash({ b: '€', a: [1, 2.5] })).toBe('f640090dd08d74ecedb72b2e9b9b16c62e77a47efa71cb8f4010aafbf27fdcdd');
});

describe('the result hash', () => {
  const hashWith = (change: (spec: ReturnType<typeof specDocument>) => object) =>
    resolved({ ...specDocument(), ...change(specDocument()) }).result_hash;
  const unchanged = hashWith(() => ({}));

  test.each<[string, (spec: ReturnType<typeof specDocument>) => object]>([
    ['the name', () => ({ name: 'another' })],
    ['the description', () => ({ description: 'in other words' })],
    ['the labels', () => ({ labels: { paper: 'draft' } })],
    ['the folder of results', () => ({ output_dir: 'elsewhere' })],
    ['execution', () => ({ execution: { max_concurrent_runs: 7 } })],
    ['who plays the episodes', () => ({ execution: { sampler_processes: 4 } })],
    ['the seeds', () => ({ seeds: { first: 5, count: 2 } })],
    ['the order of keys', (spec) => Object.fromEntries(Object.entries(spec).reverse())],
    ['the distance that judges the panels', () => ({ diversity: { metric: 'trajectory_kl' } })],
    ['a default written out', () => ({ verdict: { watch: 0.1, collapsed: 0.2 } })],
    ['a simulator that nothing uses', (spec) => ({ simulators: { ...spec.simulators, unused: {} } })],
    ['another name of the algorithm', (spec) => ({ algorithm: { ...spec.algorithm, name: 'independent_ppo' } })],
  ])('does not change with %s', (_what, change) => {
    expect(hashWith(change)).toBe(unchanged);
  });

  test.each<[string, (spec: ReturnType<typeof specDocument>) => object]>([
    ['the world', () => ({ family_options: { agents: 2, observe_velocities: true } })],
    ['the learners', () => ({ learners: [0, 1] })],
    ['a simulator in use', (spec) => ({ simulators: { ...spec.simulators, far: {} } })],
    ['a panel', (spec) => ({ panels: { ...spec.panels, validation: [] } })],
    ['a range', () => ({ randomization: { 'rules.damping': [0.1, 0.6] } })],
    ['a parameter', (spec) => ({ algorithm: { ...spec.algorithm, epochs: 3 } })],
    ['the budget', () => ({ budget: { env_steps: 200_000, rounds: 5 } })],
    ['the evaluation', () => ({ evaluation: { episodes: 11 } })],
  ])('changes with %s', (_what, change) => {
    expect(hashWith(change)).not.toBe(unchanged);
  });
});

test('a variant has the same hash under another name and beside other variants', () => {
  const spec = specDocument();
  const alone = resolved({ ...spec, variants: { renamed: spec.variants.frozen } });
  expect(alone.variant_hashes.renamed).toBe(resolved(spec).variant_hashes.frozen);
});

test('a simulator is told by its content and its world', () => {
  const variant = resolved(specDocument()).variants.pool!;
  const world = openWorld(variant, DEFAULT_REGISTRIES);
  const { zero, left } = variant.simulators;
  expect(simulatorHash(world, zero!)).toBe(simulatorHash(world, structuredClone(zero!)));
  expect(simulatorHash(world, zero!)).not.toBe(simulatorHash(world, left!));
  expect(simulatorHash({ ...world, version: 'other' }, zero!)).not.toBe(simulatorHash(world, zero!));
});
