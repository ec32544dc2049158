import { expect, test } from 'vitest';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { referenceOutputs } from '../../../test/support/reference-executor.ts';
import { gradients } from '../../graph/gradients.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { constant, input, multiply, reduceSum } from '../../graph/operators.ts';
import { ILLEGAL_LOGIT } from '../exported-policy.ts';
import { bestAsOneHot, straightThroughAction } from './straight-through.ts';

const [rows, count, temperature] = [400, 4, 0.7];
const random = new RandomStream(keyFrom(5));
const logits = Float32Array.from({ length: rows * count }, () => 2 * random.nextNormal());
const uniforms = Float32Array.from({ length: rows * count }, () => 0.01 + 0.98 * random.nextUniform());
/** What a loss makes of the actions: a slope for each number. */
const slopes = Float32Array.from({ length: rows * count }, () => random.nextNormal());

const x = input('logits', [rows, count]);
const action = straightThroughAction(x, input('uniforms', [rows, count]), temperature);
const [gradient] = gradients(reduceSum(multiply(action, constant(slopes, [rows, count]))), [x]);

test('what goes forward is exactly one-hot, at the largest of logit and noise', async () => {
  const compiled = await createOnnxExecutor().compile(graphFromOutputs({ action }));
  const outputs = { action: new Float32Array(rows * count) };
  await compiled.run({ logits, uniforms }, outputs);
  for (let row = 0; row < rows; row += 1) {
    const at = (column: number) => row * count + column;
    const score = (column: number) => logits[at(column)]! - Math.log(-Math.log(uniforms[at(column)]!));
    const columns = [...Array(count).keys()];
    const best = columns.reduce((first, column) => (score(column) > score(first) ? column : first));
    expect(columns.map((column) => outputs.action[at(column)])).toEqual(
      columns.map((column) => (column === best ? 1 : 0)),
    );
  }
  await compiled.release();
});

test('what goes back is the gradient of the soft action', () => {
  const found = referenceOutputs(graphFromOutputs({ gradient: gradient! }), { logits, uniforms })['gradient']!;
  /** The soft action times its slopes, of one row. */
  const softLoss = (row: number, own: readonly number[]) => {
    const weights = own.map((logit, column) => {
      const noise = -Math.log(-Math.log(uniforms[row * count + column]!));
      return Math.exp((logit + noise) / temperature);
    });
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return weights.reduce((sum, weight, column) => sum + (weight / total) * slopes[row * count + column]!, 0);
  };
  const step = 1e-5;
  for (let at = 0; at < 10 * count; at += 1) {
    const [row, column] = [Math.floor(at / count), at % count];
    const own = [...logits.subarray(row * count, (row + 1) * count)];
    const moved = (by: number) => softLoss(row, own.with(column, own[column]! + by));
    expect(found[at]).toBeCloseTo((moved(step) - moved(-step)) / (2 * step), 6);
  }
});

test('draws come as often as softmax says, and an illegal action never', async () => {
  const drawCount = 20_000;
  const given = [1, ILLEGAL_LOGIT, 0, -1];
  const repeated = Float32Array.from({ length: drawCount * count }, (_, at) => given[at % count]!);
  const noise = Float32Array.from({ length: drawCount * count }, () => (random.nextInteger(1 << 23) + 0.5) / (1 << 23));
  const [x, u] = [input('logits', [drawCount, count]), input('uniforms', [drawCount, count])];
  const compiled = await createOnnxExecutor().compile(
    graphFromOutputs({ counts: reduceSum(straightThroughAction(x, u, 1), [0]) }),
  );
  const outputs = { counts: new Float32Array(count) };
  await compiled.run({ logits: repeated, uniforms: noise }, outputs);
  const total = given.reduce((sum, logit) => sum + Math.exp(logit), 0);
  given.forEach((logit, column) => {
    const share = Math.exp(logit) / total;
    const standardError = Math.sqrt((share * (1 - share)) / drawCount);
    expect(Math.abs(outputs.counts[column]! / drawCount - share)).toBeLessThanOrEqual(4 * standardError);
  });
  await compiled.release();
});

test('of equal scores the first is taken', () => {
  const scores = [0, 0, 0, 0, 1, 3, 2, 3, -1, -2, -1, -1];
  const best = bestAsOneHot(input('scores', [3, count]));
  const outputs = referenceOutputs(graphFromOutputs({ best }), { scores });
  expect([...outputs['best']!]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
});
