import { expect, test } from 'vitest';
import { layoutFromShapes } from '../graph/parameters.ts';
import { ObservationMoments } from '../normalization/observation-moments.ts';
import { type InitialWeights, withInitialWeights } from './initial-weights.ts';
import { takeInitialMoments, weightsWithMoments } from './moments.ts';
import { arrayOf, chosenWeights, type NamedWeights } from './named-weights.ts';

const layout = layoutFromShapes({
  'actor.0.weight': [2, 3],
  'actor.0.bias': [3],
  'actor.1.weight': [3, 2],
  'critic.0.weight': [2, 1],
});
const drawn = (): Float32Array => Float32Array.from({ length: 17 }, (_, index) => -1 - index);

/** A policy of a network whose numbers count up from 1. */
function policy(shapes: Record<string, readonly number[]>, frozen: readonly string[] = []): InitialWeights {
  const own = layoutFromShapes(shapes);
  const size = Object.values(own).reduce(
    (end, { offset, shape }) => Math.max(end, offset + shape[0]! * (shape[1] ?? 1)),
    0,
  );
  const weights: NamedWeights = { layout: own, values: Float32Array.from({ length: size }, (_, index) => index + 1) };
  return { origin: 'the policy', weights, frozen };
}

const conflict = (message: RegExp) =>
  expect.objectContaining({ code: 'REQUEST_CONFLICT', message: expect.stringMatching(message) as string }) as Error;

test('arrays of the same name and shape are taken over, wherever they lie; the others stay as they were drawn', () => {
  const initial = policy({ 'actor.1.weight': [3, 2], 'actor.0.weight': [5, 3], other: [4], 'actor.0.bias': [3] });
  const flat = withInitialWeights(drawn(), layout, initial);
  const now = { layout, values: flat };
  expect(arrayOf(now, 'actor.1.weight')).toEqual(arrayOf(initial.weights, 'actor.1.weight'));
  expect(arrayOf(now, 'actor.0.bias')).toEqual(arrayOf(initial.weights, 'actor.0.bias'));
  for (const name of ['actor.0.weight', 'critic.0.weight']) {
    expect(arrayOf(now, name)).toEqual(arrayOf({ layout, values: drawn() }, name));
  }
});

test('without a policy nothing changes', () => {
  expect(withInitialWeights(drawn(), layout, null)).toEqual(drawn());
});

test('a policy of which nothing fits is refused, and what both have is told', () => {
  const initial = policy({ 'actor.0.weight': [5, 3], 'q.0.bias': [3] });
  const isTold = conflict(/the policy.*actor\.0\.weight \[5 3\], q\.0\.bias \[3\].*network actor\.0\.weight \[2 3\]/);
  expect(() => withInitialWeights(drawn(), layout, initial)).toThrow(isTold);
});

test('a layer can be frozen only where the whole of it is taken over', () => {
  const whole = { 'actor.0.weight': [2, 3], 'actor.0.bias': [3] };
  expect(() => withInitialWeights(drawn(), layout, policy(whole, ['actor.0']))).not.toThrow();
  const part = policy({ 'actor.0.bias': [3] }, ['actor.0']);
  expect(() => withInitialWeights(drawn(), layout, part)).toThrow(conflict(/actor\.0 cannot be frozen/));
  expect(() => withInitialWeights(drawn(), layout, policy(whole, ['actor']))).toThrow(conflict(/actor\.1\.weight/));
  const unknown = expect.objectContaining({ code: 'REQUEST_BAD_ARGUMENT' });
  expect(() => withInitialWeights(drawn(), layout, policy(whole, ['actor.7']))).toThrow(unknown);
});

test('chosen arrays are packed in the order asked for', () => {
  const all: NamedWeights = { layout, values: drawn() };
  const chosen = chosenWeights(all, ['critic.0.weight', 'actor.0.bias']);
  expect(chosen.values).toEqual(Float32Array.of(-16, -17, -7, -8, -9));
  expect(chosen.layout).toEqual(layoutFromShapes({ 'critic.0.weight': [2, 1], 'actor.0.bias': [3] }));
});

test('a normaliser goes on from the moments of the policy', () => {
  const rows = Float32Array.of(1, 10, 0, 3, 30, 1, 8, 20, 0);
  const before = new ObservationMoments(3, 2);
  before.add(rows, Int32Array.of(0, 1, 2));
  const weights = weightsWithMoments(policy({ 'actor.0.bias': [3] }).weights, before);
  expect(arrayOf(weights, 'actor.0.bias')).toEqual(Float32Array.of(1, 2, 3));
  const after = new ObservationMoments(3, 2);
  takeInitialMoments(after, { origin: 'the policy', weights, frozen: [] });
  expect(after.mean).toEqual(before.mean);
  after.scale.forEach((scale, feature) => expect(scale).toBeCloseTo(before.scale[feature]!, 6));
  // What comes next counts as much as it would have.
  for (const moments of [before, after]) moments.add(Float32Array.of(5, 5, 0), Int32Array.of(0));
  after.mean.forEach((mean, feature) => expect(mean).toBeCloseTo(before.mean[feature]!, 5));
  after.scale.forEach((scale, feature) => expect(scale).toBeCloseTo(before.scale[feature]!, 6));
});

test('weights that expect normalised observations are refused where there are none, and the other way round', () => {
  const plain = policy({ 'actor.0.bias': [3] });
  const normalised = { ...plain, weights: weightsWithMoments(plain.weights, new ObservationMoments(3, 2)) };
  expect(() => takeInitialMoments(null, normalised)).toThrow(conflict(/trained with .* without it/));
  expect(() => takeInitialMoments(new ObservationMoments(3, 2), plain)).toThrow(conflict(/trained without .* with it/));
  expect(() => takeInitialMoments(null, plain)).not.toThrow();
});
