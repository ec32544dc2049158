import { expect, test } from 'vitest';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { referenceOutputs } from '../../../test/support/reference-executor.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { input } from '../../graph/operators.ts';
import { createCritics, criticValues, type Critics, type CriticsShape, initialCritics } from './critics.ts';

const [rows, jointSize, actionsSize, learnerCount] = [3, 4, 6, 2];
/** Both learners act among the last four numbers: two each. */
const [changed, offset] = [4, 2];

const random = new RandomStream(keyFrom(8));
const normals = (length: number): Float32Array => Float32Array.from({ length }, () => random.nextNormal());
const [joint, actions, changes] = [
  normals(rows * jointSize),
  normals(rows * actionsSize),
  normals(rows * learnerCount * changed),
];

function criticsOf(kind: CriticsShape['kind']): { critics: Critics; flat: Float32Array } {
  const critics = createCritics({
    jointSize,
    actionsSize,
    learnerCount,
    kind,
    hiddenSizes: [5, 3],
    activation: 'tanh',
  });
  const flat = initialCritics(critics, random);
  // Biases and identities start at 0, which would hide that they are left out.
  for (let at = 0; at < flat.length; at += 1) flat[at]! += 0.1 * random.nextNormal();
  return { critics, flat };
}

/** The definition, for one learner of one row. */
function valueByLoop({ critics, flat }: ReturnType<typeof criticsOf>, row: number, learner: number, moves: boolean) {
  const { kind } = critics.shape;
  const name = kind === 'separate' ? `critic.learner${learner}` : 'critic';
  const entry = (array: string, at: number): number => flat[critics.layout[`${name}.${array}`]!.offset + at]!;
  const acts = [...actions.subarray(row * actionsSize, (row + 1) * actionsSize)].map((value, at) => {
    const change = changes[(row * learnerCount + learner) * changed + at - offset];
    return value + (moves && at >= offset && at < offset + changed ? change! : 0);
  });
  const layer = (x: readonly number[], array: string, size: number): number[] =>
    Array.from({ length: size }, (_, unit) =>
      x.reduce(
        (sum, value, at) => sum + value * entry(`${array}.weight`, at * size + unit),
        entry(`${array}.bias`, unit),
      ),
    );
  const first = layer([...joint.subarray(row * jointSize, (row + 1) * jointSize), ...acts], 'first', 5).map(
    (value, unit) => value + (kind === 'identified' ? entry('first.identity', learner * 5 + unit) : 0),
  );
  return layer(layer(first.map(Math.tanh), 'rest.0', 3).map(Math.tanh), 'rest.1', 1)[0]!;
}

test.each(['shared', 'identified', 'separate'] as const)(
  '%s critics are those of a loop over rows and learners',
  (kind) => {
    const { critics, flat } = criticsOf(kind);
    const situation = { joint: input('joint', [rows, jointSize]), actions: input('actions', [rows, actionsSize]) };
    const parameters = input('parameters', [critics.parameterCount]);
    const moved = { values: input('changes', [rows, learnerCount, changed]), offset };
    const graph = graphFromOutputs({
      plain: criticValues(critics, parameters, { ...situation, changes: null }),
      moved: criticValues(critics, parameters, { ...situation, changes: moved }),
    });
    const outputs = referenceOutputs(graph, { joint, actions, changes, parameters: flat });
    for (let at = 0; at < rows * learnerCount; at += 1) {
      const [row, learner] = [Math.floor(at / learnerCount), at % learnerCount];
      expect(outputs['plain']![at]).toBeCloseTo(valueByLoop({ critics, flat }, row, learner, false), 10);
      expect(outputs['moved']![at]).toBeCloseTo(valueByLoop({ critics, flat }, row, learner, true), 10);
    }
  },
);
