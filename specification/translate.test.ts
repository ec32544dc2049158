import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { problemsOf, resolveDocument } from '../test/support/spec-document.ts';

const formAt = (file: string) =>
  JSON.parse(readFileSync(`experiments/forms/${file}`, 'utf8')) as Record<string, unknown>;
const resolveForm = (document: object, file: string) => {
  const resolution = resolveDocument(document, [], `somewhere/${file}`);
  if (!resolution.ok) throw new Error(JSON.stringify(resolution.problems));
  return resolution;
};

describe('the batch form', () => {
  const document = formAt('batch-form.json');
  const { experiment, unavailable } = resolveForm(document, 'batch-form.json');

  test('becomes one frozen variant for each simulator, tested on all the others', () => {
    const simulators = document.simulator_variants as string[];
    expect(Object.keys(experiment.variants)).toEqual(simulators);
    for (const [name, variant] of Object.entries(experiment.variants)) {
      expect(variant.strategy).toEqual({ kind: 'frozen', simulator: name });
      expect(variant.panels).toEqual({
        train: [name],
        validation: [],
        test: simulators.filter((other) => other !== name),
      });
      expect(variant.budget).toEqual({ env_steps: document.train_timesteps, rounds: 20, count: 'training' });
      expect(variant.evaluation).toMatchObject({
        episodes: document.eval_episodes,
        final_episodes: document.eval_episodes,
      });
      expect(variant.learners).toEqual([0, 1]);
      expect(variant.family_options).toMatchObject({ agents: 3 });
    }
    expect(experiment).toMatchObject({
      name: document.experiment_id,
      source_form: 'batch',
      seeds: [document.seed],
      output_dir: document.output_dir,
    });
  });

  test('trains with the algorithm that it names, under whichever of its names', () => {
    expect(experiment.variants.sim_a!.algorithm.name).toBe('maddpg');
    expect(unavailable).toEqual([]);
    const other = resolveForm({ ...document, algorithm: 'independent_ppo' }, 'x.json');
    expect(other.experiment.variants.sim_a!.algorithm.name).toBe('ippo');
  });
});

describe('the pool form', () => {
  const document = formAt('pool-form.json');
  const { experiment, unavailable } = resolveForm(document, 'pool-form.json');
  const variant = experiment.variants.pool!;

  test('becomes a pool of the first simulators of the series that are not held out', () => {
    expect(experiment).toMatchObject({ name: 'pool-form', source_form: 'pool', seeds: [0] });
    expect(Object.keys(experiment.variants)).toEqual(['pool']);
    expect(variant.panels.train).toEqual([1, 2, 3, 4, 5, 6].map((number) => `sim_variant_${number}`));
    expect(variant.panels.test).toEqual(document.heldout_simulators);
    expect(variant.strategy).toMatchObject({ kind: 'pool', size: document.simulator_pool_size });
    expect(variant.budget).toMatchObject({ env_steps: 20 * 6 * 1000 * 25, rounds: 20 });
    expect(variant.evaluation.every_rounds).toBe(document.eval_interval_rounds);
    expect(variant.diversity.metric).toBe(document.diversity_metric);
    expect(variant.algorithm.name).toBe('ippo');
  });

  test('keeps a device that is not there, and says so', () => {
    expect(experiment.execution.device).toBe('cuda');
    expect(unavailable).toMatchObject([{ code: 'REQUEST_DEVICE_MISSING', path: 'device' }]);
    const onCpu = resolveDocument(document, ['execution.device=cpu'], 'pool-form.json');
    expect(onCpu).toMatchObject({ ok: true, unavailable: [] });
  });

  test('with fewer simulators than its size is refused under the key of the form', () => {
    expect(problemsOf({ ...document, simulator_pool_size: 7 })).toMatchObject([
      { path: 'simulator_pool_size', found: '7: a pool of 7 needs as many train simulators, and there are 6' },
    ]);
  });
});

test('only the errors of the form that a document has are reported, at its own keys', () => {
  const batch = problemsOf({
    ...formAt('batch-form.json'),
    seeed: 1,
    train_timesteps: '5',
    simulator_variants: ['sim_a'],
  });
  expect(batch).toMatchObject([
    { path: 'seeed', nearest: 'seed' },
    { path: 'train_timesteps', found: 'the text "5"' },
  ]);
  const unknown = problemsOf({
    ...formAt('batch-form.json'),
    simulator_variants: ['sim_a', 'sim_d'],
    algorithm: 'madpg',
  });
  expect(unknown).toMatchObject([
    { path: 'algorithm', nearest: 'maddpg' },
    { path: 'simulator_variants', found: 'the unknown simulator "sim_d"' },
  ]);
});
