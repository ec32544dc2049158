import { describe, expect, it } from 'vitest';
import { encodedModel, type OnnxModel, type OnnxNode } from './model-proto.ts';
import { loadPolicy } from './policy-model.ts';

// Letters: R rows, I input features, A actions.

const FEATURES = 3;
const discrete = { kind: 'discrete', count: FEATURES } as const;
const ROWS = [0.3, -0.2, 0.9, -0.7, 0.1, 0.4];

/** A model from `x` to `logits`, both declared with rows open. */
function modelOf(nodes: readonly OnnxNode[], initializers: OnnxModel['initializers'] = []): Uint8Array {
  const value = (name: string) => ({ name, type: 'float32', shape: ['rows', FEATURES] }) as const;
  return encodedModel({ nodes, initializers, inputs: [value('x')], outputs: [value('logits')], metadata: {} });
}

const node = (opType: string, inputs: string[], output: string, attributes: OnnxNode['attributes'] = {}): OnnxNode => ({
  opType,
  inputs,
  outputs: [output],
  attributes,
});

async function logitsOf(bytes: Uint8Array): Promise<number[]> {
  const policy = await loadPolicy(bytes, 'it');
  const actor = await policy.createActor(2, discrete);
  actor.inputs.set(ROWS);
  await actor.forward();
  await policy.release();
  return [...actor.logits];
}

describe('rows that are said to be open', () => {
  it('are run at once where each is what it is alone', async () => {
    const doubled = await logitsOf(modelOf([node('Add', ['x', 'x'], 'logits')]));
    doubled.forEach((value, at) => expect(value).toBeCloseTo(2 * ROWS[at]!, 6));
  });

  it('are run one by one where the model mixes them, so that no seat acts by what another sees', async () => {
    const mean = node('ReduceMean', ['x'], 'mean', { axes: [0], keepdims: 1 });
    const given = await logitsOf(modelOf([mean, node('Sub', ['x', 'mean'], 'logits')]));
    // A row alone is its own mean.
    expect(given).toEqual(ROWS.map(() => 0));
  });

  it('are run one by one where the exporter set the one row of its example for good', async () => {
    const shape = { name: 'shape', type: 'int64', shape: [2], values: BigInt64Array.of(1n, 3n) } as const;
    const flat = await logitsOf(modelOf([node('Reshape', ['x', 'shape'], 'logits')], [shape]));
    flat.forEach((value, at) => expect(value).toBeCloseTo(ROWS[at]!, 6));
  });
});

it.each(['RandomNormalLike', 'Bernoulli'])('a model that draws by itself (%s) is refused', async (operator) => {
  const bytes = modelOf([node(operator, ['x'], 'drawn'), node('Add', ['x', 'drawn'], 'logits')]);
  await expect(loadPolicy(bytes, 'it')).rejects.toThrow(new RegExp(`draws nothing by itself, found ${operator}`));
});

it('a model that cannot be run with one row is refused with the reason', async () => {
  const shape = { name: 'shape', type: 'int64', shape: [2], values: BigInt64Array.of(2n, 3n) } as const;
  const bytes = modelOf([node('Reshape', ['x', 'shape'], 'logits')], [shape]);
  await expect(loadPolicy(bytes, 'it')).rejects.toThrow(/cannot be run with one row of numbers.*inputs x float32/);
});
