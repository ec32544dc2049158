import { describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { FAMILIES } from '../../../simulators/registry.ts';
import { randomExperience } from '../../../test/support/random-experience.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import { packTransitions } from '../../replay/pack-transitions.ts';
import { type Column, transitionLayout } from '../../replay/transition-layout.ts';
import { jointSizeOf } from '../../rollout/joint-observer.ts';
import { describePolicy } from '../describe-policy.ts';
import { independentValues, iql } from '../iql.ts';
import { mixedValues } from '../qmix.ts';
import { summedValues } from '../vdn.ts';
import { MixingNetwork } from './mixing-network.ts';
import type { ValueParameters } from './parameters.ts';
import { type ValueDesign, valueUpdateGraph } from './update-graph.ts';
import { createValueNetworks } from './value-networks.ts';

const world = FAMILIES['foraging']!.open({});
const LEARNERS = [0, 1];
const UNITS = 3;
const mixing = new MixingNetwork(LEARNERS.length, jointSizeOf(world), UNITS);
const OBJECTIVES = { independent: independentValues, summed: summedValues, mixed: mixedValues(mixing) };
type Kind = keyof typeof OBJECTIVES;

interface Scene {
  readonly kind: Kind;
  readonly double?: boolean;
  readonly loss?: 'huber' | 'squared';
  readonly absent?: readonly number[];
}

function setUp({ kind, double = true, loss = 'huber', absent = [] }: Scene) {
  const written = { name: 'iql', hidden_sizes: [4], optimizer: 'sgd', momentum: 0, gradient_clip: 1e9, double, loss };
  const given = iql.parametersSchema(world).parse(written) as ValueParameters;
  const policies = world.groups.map((_, group) => describePolicy(world, group, LEARNERS, given));
  const layout = transitionLayout(world, policies, { learners: LEARNERS, joint: true });
  const block = randomExperience({ world, policies, stepCount: 4, environmentCount: 2, seed: 8, absent });
  const transitions = packTransitions(block, layout, { steps: 1, gamma: 0.9 });
  const parameters = { ...given, minibatch_size: transitions.length / layout.width };
  const objective = OBJECTIVES[kind];
  const networks = createValueNetworks(policies, parameters, objective.shared);
  const design: ValueDesign = { networks, transitions: layout, objective, parameters, frozen: [] };
  const random = new RandomStream(keyFrom(4));
  const draw = () => Float32Array.from({ length: networks.parameterCount }, () => 0.5 * random.nextNormal());
  return { design, transitions, newest: draw(), target: draw() };
}

async function run({ design, transitions, newest, target }: ReturnType<typeof setUp>) {
  const rowCount = design.parameters.minibatch_size;
  const graph = await createOnnxExecutor().compile(valueUpdateGraph(design));
  const [next, moment, diagnostics] = [newest.slice(), newest.slice(), new Float32Array(7)];
  await graph.run(
    {
      ...{ parameters: newest, target, transitions, weights: new Float32Array(rowCount).fill(1 / rowCount) },
      ...{ first_moment: new Float32Array(newest.length), rates: Float32Array.of(1, 0) },
    },
    { parameters_next: next, first_moment_next: moment, diagnostics },
  );
  await graph.release();
  return { gradient: newest.map((value, at) => value - next[at]!), loss: diagnostics[0]!, target: diagnostics[2]! };
}

/** A perceptron of ReLU layers, by plain loops. */
function perceptron(flat: Float32Array, layout: ParameterLayout, name: string, input: readonly number[]): number[] {
  let row = [...input];
  for (let layer = 0; `${name}.${layer}.weight` in layout; layer += 1) {
    const weight = layout[`${name}.${layer}.weight`]!;
    const bias = layout[`${name}.${layer}.bias`]!;
    const columns = weight.shape[1]!;
    const inputs = layer === 0 ? row : row.map((value) => Math.max(0, value));
    row = Array.from({ length: columns }, (_, column) =>
      inputs.reduce(
        (sum, value, at) => sum + value * flat[weight.offset + at * columns + column]!,
        flat[bias.offset + column]!,
      ),
    );
  }
  return row;
}

function slowMixed(flat: Float32Array, layout: ParameterLayout, values: readonly number[], joint: readonly number[]) {
  const made = (name: string) => perceptron(flat, layout, `mixing.${name}`, joint);
  const [weights, bias, outWeights, outBias] = ['weights', 'bias', 'out_weights', 'out_bias'].map(made);
  return bias!.reduce((sum, shift, unit) => {
    const x = values.reduce((h, value, learner) => h + value * Math.abs(weights![learner * UNITS + unit]!), shift);
    return sum + Math.abs(outWeights![unit]!) * (x > 0 ? x : 0.2 * x);
  }, outBias![0]!);
}

/** Predictions and targets of every error that counts, by plain loops. */
function slowErrors({ design, transitions, newest, target }: ReturnType<typeof setUp>, kind: Kind) {
  const { transitions: layout, networks, parameters } = design;
  const columns = layout.groups[0]!;
  const errors: { predicted: number; target: number }[] = [];
  for (let row = 0; row < parameters.minibatch_size; row += 1) {
    const read = ({ offset, length }: Column, place = 0, parts = 1): number[] => {
      const start = row * layout.width + offset + (place * length) / parts;
      return Array.from(transitions.subarray(start, start + length / parts));
    };
    const present = LEARNERS.filter((place) => read(columns.learning)[place] === 1);
    const values = (flat: Float32Array, column: Column, place: number) =>
      perceptron(flat, networks.layout, '0.values', read(column, place, 2));
    const chosen = LEARNERS.map((place) =>
      present.includes(place) ? values(newest, columns.inputs, place)[read(columns.actions)[place]!]! : 0,
    );
    const next = LEARNERS.map((place) => {
      if (!present.includes(place)) return 0;
      const legal = read(columns.nextMasks!, place, 2);
      const judged = values(target, columns.nextInputs, place);
      const choosing = parameters.double ? values(newest, columns.nextInputs, place) : judged;
      const open = legal.flatMap((is, action) => (is === 1 ? [action] : []));
      return judged[open.reduce((best, action) => (choosing[action]! > choosing[best]! ? action : best))]!;
    });
    const [rewards, [discount]] = [read(columns.rewards), read(layout.discount)];
    const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
    if (kind === 'independent') {
      for (const place of present) {
        errors.push({ predicted: chosen[place]!, target: rewards[place]! + discount! * next[place]! });
      }
      continue;
    }
    const total = (flat: Float32Array, list: readonly number[], joint: Column) =>
      kind === 'summed' ? sum(list) : slowMixed(flat, networks.layout, list, read(joint));
    errors.push({
      predicted: total(newest, chosen, layout.joint!),
      target: sum(rewards) + discount! * total(target, next, layout.nextJoint!),
    });
  }
  return errors;
}

function slowLoss(errors: ReturnType<typeof slowErrors>, loss: 'huber' | 'squared'): number {
  const costs = errors.map(({ predicted, target }) => {
    const size = Math.abs(predicted - target);
    return loss === 'huber' && size > 1 ? size - 0.5 : size ** 2 / 2;
  });
  return costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
}

const SCENES: readonly Scene[] = (['independent', 'summed', 'mixed'] as const).flatMap((kind) => [
  { kind },
  { kind, double: false, loss: 'squared' },
  { kind, absent: [1] },
]);

describe('an optimizer step on what actions are worth', () => {
  it.each(SCENES)('has the loss and the targets of a slow loop, and its slope (%o)', async (scene) => {
    const scenery = setUp(scene);
    const made = await run(scenery);
    const { loss = 'huber', kind } = scene;
    const errors = slowErrors(scenery, kind);
    expect(made.loss).toBeCloseTo(slowLoss(errors, loss), 4);
    expect(made.target).toBeCloseTo(errors.reduce((sum, { target }) => sum + target, 0) / errors.length, 4);
    // Targets are no function of the newest weights as far as the slope is concerned.
    const slopeOf = (index: number): number => {
      const at = (shift: number): number => {
        const newest = scenery.newest.slice();
        newest[index]! += shift;
        const moved = slowErrors({ ...scenery, newest }, kind);
        return slowLoss(
          moved.map(({ predicted }, each) => ({ predicted, target: errors[each]!.target })),
          loss,
        );
      };
      return (at(1e-3) - at(-1e-3)) / 2e-3;
    };
    const steepest = [...made.gradient.keys()]
      .sort((a, b) => Math.abs(made.gradient[b]!) - Math.abs(made.gradient[a]!))
      .slice(0, 12);
    for (const index of steepest) {
      expect(Math.abs(made.gradient[index]! - slopeOf(index))).toBeLessThan(0.02 * Math.abs(slopeOf(index)) + 2e-3);
    }
    expect(Math.abs(made.gradient[steepest[0]!]!)).toBeGreaterThan(0.01);
  });

  it.each(Object.keys(OBJECTIVES) as Kind[])('is the same whatever is written of an absent seat (%s)', async (kind) => {
    const scenery = setUp({ kind, absent: [1] });
    const { layout, transitions } = { layout: scenery.design.transitions, transitions: scenery.transitions.slice() };
    const { inputs, rewards, nextInputs, actions } = layout.groups[0]!;
    for (let row = 0; row < transitions.length; row += layout.width) {
      for (const { offset, length } of [inputs, rewards, nextInputs, actions]) {
        transitions.fill(3, row + offset + length / 2, row + offset + length);
      }
    }
    expect(await run({ ...scenery, transitions })).toEqual(await run(scenery));
  });
});
