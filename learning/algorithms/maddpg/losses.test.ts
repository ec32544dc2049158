import { describe, expect, test } from 'vitest';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { referenceOutputs } from '../../../test/support/reference-executor.ts';
import { openSpread } from '../../../test/support/small-learning.ts';
import { gradients } from '../../graph/gradients.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { input, reshape } from '../../graph/operators.ts';
import type { Column } from '../../replay/transition-layout.ts';
import { maddpg } from '../maddpg.ts';
import { actorLosses } from './actor-graph.ts';
import { criticLoss, valueTargets } from './critic-graph.ts';
import { Minibatch } from './minibatch.ts';
import { MaddpgNetworks } from './networks.ts';

const rowCount = 4;
const random = new RandomStream(keyFrom(9));
const normals = (length: number): Float64Array => Float64Array.from({ length }, () => random.nextNormal());

/** A few transitions of two learners, the second of whom is absent from the last. */
function small(options: { continuous_actions: boolean }, settings: object = {}) {
  const world = openSpread({ agents: 2, ...options });
  const parameters = maddpg
    .parametersSchema(world)
    .parse({ name: 'maddpg', hidden_sizes: [4], activation: 'tanh', ...settings });
  const networks = new MaddpgNetworks({
    world,
    learners: [0, 1],
    parameters,
    executor: createOnnxExecutor(),
    updateCount: 1,
    seed: 1,
    memberIndex: 0,
  });
  const { layout } = networks;
  const group = networks.learning[0]!.group;
  const minibatchOptions = { layout, groups: [group], rowCount, isNormalized: false };
  const transitions = normals(rowCount * layout.width);
  const fill = ({ offset, length }: Column, value: (row: number, at: number) => number): void => {
    for (let row = 0; row < rowCount; row += 1) {
      for (let at = 0; at < length; at += 1) transitions[row * layout.width + offset + at] = value(row, at);
    }
  };
  const { columns } = group;
  fill(columns.learning, (row, learner) => (row === rowCount - 1 && learner === 1 ? 0 : 1));
  if (!options.continuous_actions) fill(columns.actions, () => random.nextInteger(group.actor.actionSize));
  fill(layout.discount, (row) => (row === 0 ? 0 : 0.9));
  const given = {
    transitions,
    weights: new Float64Array(rowCount).fill(1 / rowCount),
    uniforms: Float64Array.from(
      { length: rowCount * 2 * group.actor.actionSize },
      () => 0.01 + 0.98 * random.nextUniform(),
    ),
  };
  return {
    group,
    layout,
    minibatchOptions,
    given,
    column: (at: Column, row: number, index: number) => transitions[row * layout.width + at.offset + index]!,
  };
}

type Small = ReturnType<typeof small>;

const parametersOf = ({ group }: Small) => ({
  actor: normals(group.actor.parameterCount).map((value) => 0.5 * value),
  critics: normals(group.critics.parameterCount).map((value) => 0.5 * value),
});

/** One layer of tanh and a linear one, as the networks of this test are. */
function perceptron(
  x: readonly number[],
  entry: (array: string, at: number) => number,
  names: [string, string],
  sizes: [number, number],
): number[] {
  const layer = (from: readonly number[], name: string, size: number) =>
    Array.from({ length: size }, (_, unit) =>
      from.reduce(
        (sum, value, at) => sum + value * entry(`${name}.weight`, at * size + unit),
        entry(`${name}.bias`, unit),
      ),
    );
  return layer(layer(x, names[0], sizes[0]).map(Math.tanh), names[1], sizes[1]);
}

test('targets are rewards and what the target critics say of what the target actors would do', () => {
  const given = small({ continuous_actions: false });
  const { group, layout, minibatchOptions, column } = given;
  const { actor, critics } = parametersOf(given);
  const targets = valueTargets(
    group,
    new Minibatch(minibatchOptions),
    minibatchOptions,
    input('target', [critics.length]),
  );
  const found = referenceOutputs(graphFromOutputs({ targets }), {
    ...given.given,
    'uniforms.0': given.given.uniforms,
    'target_actor.0': actor,
    target: critics,
  })['targets']!;

  const { columns } = group;
  const [inputSize, count] = [group.policy.inputSize, group.actor.actionSize];
  const jointSize = layout.joint!.length;
  for (let row = 0; row < rowCount; row += 1) {
    const actions = [0, 1].flatMap((learner) => {
      const x = Array.from({ length: inputSize }, (_, at) => column(columns.nextInputs, row, learner * inputSize + at));
      const ofActor = (name: string, at: number) => actor[group.actor.layout[name]!.offset + at]!;
      const logits = perceptron(x, ofActor, ['actor.0', 'actor.1'], [4, count]);
      const scores = logits.map((logit, action) => {
        const uniform = given.given.uniforms[(row * 2 + learner) * count + action]!;
        return logit - Math.log(-Math.log(uniform));
      });
      const best = scores.indexOf(Math.max(...scores));
      return scores.map((_, action) => (action === best ? column(columns.learning, row, learner) : 0));
    });
    const seen = Array.from({ length: jointSize }, (_, at) => column(layout.nextJoint!, row, at));
    for (const learner of [0, 1]) {
      // The identity of a learner is one more input of the first layer.
      const weight = (name: string, at: number): number => {
        const own =
          name === 'critic.first.bias'
            ? critics[group.critics.layout['critic.first.identity']!.offset + learner * 4 + at]!
            : 0;
        return own + critics[group.critics.layout[name]!.offset + at]!;
      };
      const value = perceptron([...seen, ...actions], weight, ['critic.first', 'critic.rest.0'], [4, 1])[0]!;
      const expected = column(columns.rewards, row, learner) + column(layout.discount, row, 0) * value;
      expect(found[row * 2 + learner]).toBeCloseTo(expected, 10);
    }
  }
});

describe('gradients are those of finite differences', () => {
  const step = 1e-6;

  test('of the critics', () => {
    const given = small({ continuous_actions: false });
    const { critics } = parametersOf(given);
    const flat = input('parameters', [critics.length]);
    const targets = input('targets', [rowCount, 2]);
    const { loss } = criticLoss(given.group, new Minibatch(given.minibatchOptions), given.minibatchOptions, {
      flat,
      targets,
    });
    const graph = graphFromOutputs({ loss: reshape(loss, [1]), gradient: gradients(loss, [flat])[0]! });
    const fixed = { ...given.given, targets: normals(rowCount * 2) };
    compare((parameters) => referenceOutputs(graph, { ...fixed, parameters }), critics);
  });

  test('of the actor, through the critics, where actions are numbers', () => {
    const given = small({ continuous_actions: true });
    const { actor, critics } = parametersOf(given);
    const flat = input('parameters', [actor.length]);
    const options = { ...given.minibatchOptions, temperature: 1 };
    const { policyLoss } = actorLosses(given.group, new Minibatch(given.minibatchOptions), options, flat);
    const graph = graphFromOutputs({ loss: reshape(policyLoss, [1]), gradient: gradients(policyLoss, [flat])[0]! });
    compare((parameters) => referenceOutputs(graph, { ...given.given, critics, parameters }), actor);
  });

  /** @param run loss and gradient at parameters */
  function compare(run: (parameters: Float64Array) => Record<string, ArrayLike<number>>, parameters: Float64Array) {
    const gradient = Array.from(run(parameters)['gradient']!);
    gradient.forEach((slope, at) => {
      const moved = (by: number) => run(parameters.with(at, parameters[at]! + by))['loss']![0]!;
      expect(slope).toBeCloseTo((moved(step) - moved(-step)) / (2 * step), 7);
    });
    expect(Math.hypot(...gradient)).toBeGreaterThan(1e-2);
  }
});

test('an absent learner has no part in a loss, whatever it did', () => {
  const given = small({ continuous_actions: false });
  const { actor, critics } = parametersOf(given);
  const options = { ...given.minibatchOptions, temperature: 1 };
  const minibatch = new Minibatch(given.minibatchOptions);
  const { policyLoss, entropy } = actorLosses(given.group, minibatch, options, input('parameters', [actor.length]));
  const { loss } = criticLoss(given.group, minibatch, options, {
    flat: input('critics', [critics.length]),
    targets: minibatch.rewards(given.group),
  });
  const scalars = { policyLoss: reshape(policyLoss, [1]), entropy: reshape(entropy, [1]), loss: reshape(loss, [1]) };
  const graph = graphFromOutputs(scalars);
  const arrays = { ...given.given, parameters: actor, critics };
  const before = referenceOutputs(graph, arrays);
  const { columns } = given.group;
  const first = (rowCount - 1) * given.layout.width;
  const disturbed = given.given.transitions.slice();
  for (const { offset, length } of [columns.inputs, columns.actions, columns.rewards]) {
    disturbed.fill(3, first + offset + length / 2, first + offset + length);
  }
  expect(referenceOutputs(graph, { ...arrays, transitions: disturbed })).toEqual(before);
});
