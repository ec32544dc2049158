import { expect, test } from 'vitest';
import { gradients } from '../../../learning/graph/gradients.ts';
import { graphFromOutputs } from '../../../learning/graph/graph.ts';
import { input, matmul, reduceSum } from '../../../learning/graph/operators.ts';
import { multiplyAdds } from './multiply-adds.ts';

const [ROWS, INNER, COLUMNS] = [7, 5, 3];

test('a product takes rows times columns times inner size, whichever way its factors lie', () => {
  const left = input('left', [ROWS, INNER]);
  const right = input('right', [INNER, COLUMNS]);
  expect(multiplyAdds(graphFromOutputs({ product: matmul(left, right) }))).toBe(ROWS * COLUMNS * INNER);
  const turned = matmul(input('turned', [INNER, ROWS]), right, { transposeLeft: true });
  expect(multiplyAdds(graphFromOutputs({ product: turned }))).toBe(ROWS * COLUMNS * INNER);
});

test('a gradient after both factors takes two more products of the same size', () => {
  const left = input('left', [ROWS, INNER]);
  const right = input('right', [INNER, COLUMNS]);
  const product = matmul(left, right);
  const [ofLeft, ofRight] = gradients(reduceSum(product), [left, right]);
  const graph = graphFromOutputs({ product, ofLeft: ofLeft!, ofRight: ofRight! });
  expect(multiplyAdds(graph)).toBe(3 * ROWS * COLUMNS * INNER);
});
