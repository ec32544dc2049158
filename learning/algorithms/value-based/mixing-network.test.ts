import { expect, it } from 'vitest';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { referenceOutputs } from '../../../test/support/reference-executor.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { input } from '../../graph/operators.ts';
import { layoutFromShapes, layoutSize, parametersFromFlat } from '../../graph/parameters.ts';
import { MixingNetwork } from './mixing-network.ts';

const [ROWS, LEARNERS, JOINT, UNITS] = [6, 3, 4, 5];
const mixing = new MixingNetwork(LEARNERS, JOINT, UNITS);
const layout = layoutFromShapes(mixing.shapes);
const parameters = parametersFromFlat(input('parameters', [layoutSize(layout)]), layout);
const mixed = mixing.mixed(input('values', [ROWS, LEARNERS]), input('joint', [ROWS, JOINT]), parameters);
const graph = graphFromOutputs({ mixed });
const random = new RandomStream(keyFrom(3));
const normals = (count: number) => Float32Array.from({ length: count }, () => random.nextNormal());
const totals = (flat: Float32Array, values: Float32Array, joint: Float32Array) =>
  referenceOutputs(graph, { parameters: flat, values, joint })['mixed']!;

it('a mixture never falls when what one learner does is worth more, whatever the weights', () => {
  for (let trial = 0; trial < 20; trial += 1) {
    const [flat, values, joint] = [normals(layoutSize(layout)), normals(ROWS * LEARNERS), normals(ROWS * JOINT)];
    const before = totals(flat, values, joint);
    for (let learner = 0; learner < LEARNERS; learner += 1) {
      const raised = values.map((value, at) => value + (at % LEARNERS === learner ? 0.01 : 0));
      totals(flat, raised, joint).forEach((total, row) => expect(total).toBeGreaterThanOrEqual(before[row]!));
      expect(totals(flat, raised, joint)).not.toEqual(before);
    }
  }
});

it('a mixture rises with each of its parts alike at first, by about as much as the parts', () => {
  const flat = new Float32Array(layoutSize(layout));
  mixing.initialize(flat, layout, random);
  const [values, joint] = [new Float32Array(ROWS * LEARNERS), normals(ROWS * JOINT)];
  const before = totals(flat, values, joint);
  for (let learner = 0; learner < LEARNERS; learner += 1) {
    const raised = values.map((_, at) => (at % LEARNERS === learner ? 0.1 : 0));
    totals(flat, raised, joint).forEach((total, row) => {
      expect((total - before[row]!) / 0.1).toBeGreaterThan(0.3);
      expect((total - before[row]!) / 0.1).toBeLessThan(2);
    });
  }
});
