import './no-telemetry.ts';
import { describe, expect, it } from 'vitest';
import type { PolicyDescription } from '../../learning/algorithms/contract.ts';
import { exportedPolicyGraph, type PolicyOutputs } from '../../learning/algorithms/exported-policy.ts';
import type { Expression } from '../../learning/graph/expression.ts';
import { graphFromOutputs } from '../../learning/graph/graph.ts';
import { add, concat, constant, input, matmul, multiply, slice } from '../../learning/graph/operators.ts';
import { layoutFromShapes, layoutSize } from '../../learning/graph/parameters.ts';
import { createNetwork, createSeatNetworks, type Network } from '../../learning/networks/network.ts';
import { normalizedObservations, ObservationMoments } from '../../learning/normalization/observation-moments.ts';
import { OBSERVATION_MEAN, OBSERVATION_SCALE, weightsWithMoments } from '../../learning/transfer/moments.ts';
import { constantsFrom, type NamedWeights } from '../../learning/transfer/named-weights.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { referenceOutputs } from '../../test/support/reference-executor.ts';
import { exportedModel } from './exported-model.ts';
import { onnxModelFromGraph } from './model.ts';
import { loadPolicy } from './policy-model.ts';
import { policyWeights } from './policy-weights.ts';

const INPUTS = 5;
const ACTIONS = 3;
const MEMORY = 4;
const discrete = { kind: 'discrete', count: ACTIONS } as const;
const box = { kind: 'box', low: [0, -1], high: [1, 3] } as const;

const shape = { name: 'actor', inputSize: INPUTS, hiddenSizes: [6], activation: 'tanh' } as const;

function weightsFor(network: Network): NamedWeights {
  const layout = layoutFromShapes(network.shapes);
  const values = new Float32Array(layoutSize(layout));
  network.initialize(values, layout, { random: new RandomStream(keyFrom(3)), gains: { hidden: 1.5, last: 1 } });
  return { layout, values };
}

const plainPolicy: PolicyDescription = {
  ...{ group: 0, inputSize: INPUTS, identitySize: 0 },
  ...{ actions: discrete, isMasked: false, memorySize: 0 },
};

/** A policy of the network, as learners export theirs. */
function exportedGraph(
  network: Network,
  changes: Partial<PolicyDescription>,
  finish: (outputs: Expression) => Expression = (outputs) => outputs,
) {
  const policy = {
    group: 0,
    inputSize: INPUTS,
    identitySize: 0,
    actions: discrete,
    isMasked: false,
    memorySize: 0,
    ...changes,
  };
  const weights = weightsFor(network);
  const parameters = constantsFrom(weights);
  const apply = (x: Expression, memory: Expression | null): PolicyOutputs => {
    const applied = network.apply(x, parameters, memory);
    return { outputs: finish(applied.outputs), memory: applied.memory };
  };
  return { graph: exportedPolicyGraph(policy, apply, weights), weights };
}

const recurrent = () =>
  exportedGraph(createNetwork({ ...shape, outputSize: ACTIONS, memorySize: MEMORY }), {
    isMasked: true,
    memorySize: MEMORY,
  });

const numbers = (length: number, seed: number): Float32Array =>
  Float32Array.from({ length }, (_, index) => Math.sin(seed + 1.7 * index));

const isRefused = (message: RegExp) =>
  expect.objectContaining({ code: 'REQUEST_BAD_ARGUMENT', message: expect.stringMatching(message) as string }) as Error;

describe('a policy with a mask and a memory', () => {
  // Rows fixed at 1 are run one by one.
  it.each([true, false])('gives what its graph gives row by row, with rows open: %s', async (dynamicRows) => {
    const { graph } = recurrent();
    const bytes = dynamicRows ? exportedModel(graph, {}) : onnxModelFromGraph(graph, { dynamicRows, metadata: {} });
    const policy = await loadPolicy(bytes, 'it');
    expect(policy).toMatchObject({ inputSize: INPUTS, outputSize: ACTIONS, actionKind: 'discrete' });
    expect(policy).toMatchObject({ isMasked: true, memorySize: MEMORY });
    const rows = 3;
    const actor = await policy.createActor(rows, discrete);
    actor.inputs.set(numbers(rows * INPUTS, 1));
    actor.memory!.now.set(numbers(rows * MEMORY, 2));
    actor.masks!.set([1, 1, 1, 0, 1, 1, 1, 0, 0]);
    await actor.forward();
    for (let row = 0; row < rows; row += 1) {
      const part = (array: Float32Array | Uint8Array, width: number) =>
        Float32Array.from(array.subarray(row * width, (row + 1) * width));
      const expected = referenceOutputs(graph, {
        observations: part(actor.inputs, INPUTS),
        action_mask: part(actor.masks!, ACTIONS),
        memory: part(actor.memory!.now, MEMORY),
      });
      part(actor.memory!.next, MEMORY).forEach((value, at) =>
        expect(value).toBeCloseTo(expected['memory_next']![at]!, 5),
      );
      part(actor.masks!, ACTIONS).forEach((mask, action) => {
        const logit = actor.logits[row * ACTIONS + action]!;
        if (mask === 1) expect(logit).toBeCloseTo(expected['logits']![action]!, 5);
        else expect(logit).toBe(-Infinity);
      });
    }
    await policy.release();
  });

  it('carries its memory: two steps are the graph applied twice', async () => {
    const { graph } = recurrent();
    const policy = await loadPolicy(exportedModel(graph, {}), 'it');
    const actor = await policy.createActor(2, discrete);
    actor.masks!.fill(1);
    let memory = new Float32Array(MEMORY);
    for (const step of [0, 1]) {
      actor.inputs.set(numbers(2 * INPUTS, step));
      await actor.forward();
      const observations = actor.inputs.slice(INPUTS);
      const action_mask = new Float32Array(ACTIONS).fill(1);
      const expected = referenceOutputs(graph, { observations, action_mask, memory });
      expected['logits']!.forEach((value, at) => expect(actor.logits[ACTIONS + at]).toBeCloseTo(value, 5));
      memory = Float32Array.from(expected['memory_next']!);
      actor.memory!.now.set(actor.memory!.next);
    }
    await policy.release();
  });
});

describe('a policy of a box', () => {
  const deviations = constant([-0.5, 0.25], [1, 2]);
  const kinds: [title: string, finish: (mean: Expression) => Expression][] = [
    ['the same for all rows', (mean) => concat([mean, deviations], 1)],
    ['of each row', (mean) => concat([mean, add(mean, deviations)], 1)],
  ];
  it.each(kinds)('gives means, then logarithms of deviations, row by row: %s', async (_title, finish) => {
    const network = createNetwork({ ...shape, outputSize: 2, memorySize: 0 });
    const { graph } = exportedGraph(network, { actions: box }, finish);
    const policy = await loadPolicy(exportedModel(graph, {}), 'it');
    expect(policy).toMatchObject({ outputSize: 4, actionKind: 'box', isMasked: false, memorySize: 0 });
    const actor = await policy.createActor(2, box);
    actor.inputs.set(numbers(2 * INPUTS, 1));
    await actor.forward();
    for (const row of [0, 1]) {
      const observations = actor.inputs.slice(row * INPUTS, (row + 1) * INPUTS);
      const { mean, log_std } = referenceOutputs(graph, { observations });
      const expected = [...mean!, ...log_std!];
      expected.forEach((value, at) => expect(actor.logits[4 * row + at]).toBeCloseTo(value, 5));
    }
    await policy.release();
  });
});

it('networks of single seats, chosen by the identity at the end of a row, take any number of rows', async () => {
  const network = createSeatNetworks({ ...shape, outputSize: ACTIONS, memorySize: MEMORY }, 2);
  const { graph } = exportedGraph(network, { identitySize: 2, memorySize: MEMORY });
  const policy = await loadPolicy(exportedModel(graph, {}), 'it');
  const actor = await policy.createActor(2, discrete);
  actor.inputs.set([0.1, 0.2, 0.3, 1, 0, 0.1, 0.2, 0.3, 0, 1]);
  await actor.forward();
  expect(actor.logits.slice(0, ACTIONS)).not.toEqual(actor.logits.slice(ACTIONS));
  const memory = new Float32Array(MEMORY);
  const expected = referenceOutputs(graph, { observations: actor.inputs.slice(INPUTS), memory })['logits']!;
  expected.forEach((value, at) => expect(actor.logits[ACTIONS + at]).toBeCloseTo(value, 5));
  await policy.release();
});

describe('a model that is no policy is refused, and what was expected and found is told', () => {
  const observations = input('observations', [1, INPUTS]);
  const logits = matmul(observations, constant(1, [INPUTS, ACTIONS]));
  const memory = input('memory', [1, MEMORY]);
  const cases: [title: string, outputs: Record<string, Expression>, message: RegExp][] = [
    [
      'a further input',
      { logits: add(logits, slice(input('x', [1, 2]), 1, 0, 1)) },
      /inputs observations, x: expected observations alone.*x float32 \[rows, 2\]/,
    ],
    [
      'nothing to act by',
      { values: logits, costs: multiply(logits, 2) },
      /expected an output to act by.*values float32 \[rows, 3\], costs float32 \[rows, 3\]; opset 17/,
    ],
    [
      'deviations of other numbers',
      { mean: logits, log_std: slice(logits, 1, 0, 2) },
      /"log_std": expected \[rows, 3\] \(as many numbers as mean\)/,
    ],
    [
      'a mask for other actions',
      { logits: add(logits, slice(input('action_mask', [1, 2]), 1, 0, 1)) },
      /"action_mask": expected \[rows, 3\].*action_mask float32 \[rows, 2\]/,
    ],
    [
      'a memory that is not given back',
      { logits: add(logits, slice(memory, 1, 0, 1)) },
      /observations, memory: .*NAME_next/,
    ],
    [
      'a memory given back in another size',
      { logits, memory_next: slice(memory, 1, 0, 2) },
      /"memory_next": expected \[rows, 4\] \(as many numbers as memory\).*memory_next float32 \[rows, 2\]/,
    ],
    ['a memory that is not taken', { logits, memory_next: multiply(logits, 2) }, /an input "memory"/],
  ];
  it.each(cases)('%s', async (_title, outputs, message) => {
    const bytes = onnxModelFromGraph(graphFromOutputs(outputs), { dynamicRows: true, metadata: {} });
    await expect(loadPolicy(bytes, 'file.onnx')).rejects.toThrow(isRefused(message));
    await expect(loadPolicy(bytes, 'file.onnx')).rejects.toThrow(/file\.onnx/);
  });

  it('no model at all', async () => {
    await expect(loadPolicy(Buffer.from('[]'), 'it')).rejects.toThrow(isRefused(/it is no ONNX model/));
  });
});

describe('the weights inside a policy', () => {
  it('are read back by their names as they were put in', () => {
    const { graph, weights } = recurrent();
    expect(policyWeights(exportedModel(graph, { seed: '1' }), 'it')).toEqual(weights);
  });

  it('are named in the file, so that whoever opens it finds them', () => {
    const { graph, weights } = recurrent();
    const text = Buffer.from(exportedModel(graph, {})).toString('latin1');
    // A bias that is all 0 is the same constant as another of its shape.
    for (const name of Object.keys(weights.layout).filter((each) => !each.toLowerCase().endsWith('bias')))
      expect(text.split(name).length - 1, name).toBeGreaterThan(2);
  });

  it('tell moments of observations, too, also those that acting does not need', () => {
    const network = createNetwork({ ...shape, outputSize: ACTIONS, memorySize: 0 });
    const moments = new ObservationMoments(INPUTS, INPUTS);
    moments.add(numbers(4 * INPUTS, 5), Int32Array.of(0, 1, 2, 3));
    const weights = weightsWithMoments(weightsFor(network), moments);
    const parameters = constantsFrom(weights);
    const [mean, scale] = [parameters[OBSERVATION_MEAN]!, parameters[OBSERVATION_SCALE]!];
    const graph = exportedPolicyGraph(
      plainPolicy,
      (x) => network.apply(normalizedObservations(x, mean, scale), parameters, null),
      weights,
    );
    const bytes = exportedModel(graph, {});
    expect(policyWeights(bytes, 'it')).toEqual(weights);
    expect(Buffer.from(bytes).toString('latin1')).toMatch(/normalization.{1,4}inside/s);
  });

  it('are not known of a file that has no names for them', () => {
    const bytes = onnxModelFromGraph(recurrent().graph, { dynamicRows: true, metadata: {} });
    const isConflict = expect.objectContaining({ code: 'REQUEST_CONFLICT' }) as Error;
    expect(() => policyWeights(bytes, 'it')).toThrow(isConflict);
    expect(() => policyWeights(Buffer.from('no model'), 'it')).toThrow(isConflict);
  });
});
