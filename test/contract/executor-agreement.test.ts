import { describe, expect, test } from 'vitest';
import { ALGORITHMS } from '../../learning/algorithms/registry.ts';
import type { Executor, NamedArrays } from '../../learning/executor.ts';
import type { Graph } from '../../learning/graph/expression.ts';
import { trainRound } from '../../learning/training.ts';
import { agreementTable, largestDifference } from '../support/agreement.ts';
import { EXECUTORS, outputsOnce } from '../support/executors.ts';
import { openSpread, trainingRound } from '../support/small-learning.ts';

// Whole graphs: forward passes, gradients and optimizer steps of every algorithm, from equal inputs. Trajectories are not
// compared, since they part where a clip or an argmax falls on the other side.

const TOLERANCE = 1e-5;
const world = openSpread({ agents: 2, episode_steps: 10 });

/** Settings whose graphs have operators in them that those of the defaults have not. */
const SETTINGS: Readonly<Record<string, object>> = {
  'ippo, recurrent': { recurrent: { units: 16, sequence_steps: 10 }, hidden_sizes: [32] },
  'ippo, a network for each seat': { parameter_sharing: 'none', observation_normalization: true },
  'mappo, recurrent': { recurrent: { units: 16 }, hidden_sizes: [32] },
};

interface Recorded {
  readonly graph: Graph;
  inputs: NamedArrays | null;
  outputs: NamedArrays | null;
}

/** Runs graphs on another executor, and keeps what went into the first run of each and what came out. */
function recordingExecutor(executor: Executor): { executor: Executor; recorded: Recorded[] } {
  const recorded: Recorded[] = [];
  const copyOf = (arrays: NamedArrays): NamedArrays =>
    Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, array.slice()]));
  const compile = async (graph: Graph) => {
    const compiled = await executor.compile(graph);
    const record: Recorded = { graph, inputs: null, outputs: null };
    recorded.push(record);
    const run = async (inputs: NamedArrays, outputs: NamedArrays): Promise<void> => {
      const before = record.inputs ?? copyOf(inputs);
      await compiled.run(inputs, outputs);
      record.inputs = before;
      record.outputs ??= copyOf(outputs);
    };
    return { run, release: () => compiled.release() };
  };
  // Without a loop of its own it is given every step.
  const { name, version } = executor;
  return { executor: { name, version, compile, peakGpuBytes: () => null }, recorded };
}

/** Every graph of an algorithm that a small round of training runs. */
async function graphsOf(name: string, settings: object): Promise<readonly Recorded[]> {
  const algorithm = ALGORITHMS[name]!;
  const { executor, recorded } = recordingExecutor(EXECUTORS['ONNX Runtime']!);
  const learners = Array.from({ length: algorithm.learnersMax ?? world.seatCount }, (_, seat) => seat);
  const parameters = algorithm.parametersSchema(world).parse({ name, parallel_environments: 4, ...settings });
  const setup = { world, learners, executor, updateCount: 4, seed: 1, memberIndex: 0 };
  const learner = await algorithm.createLearner({ ...setup, parameters });
  for (const roundIndex of [0, 1])
    await trainRound(trainingRound(world, learner, { learners, environmentCount: 4, roundIndex }));
  await learner.release();
  return recorded.filter(({ inputs }) => inputs !== null);
}

const note = agreementTable(['graphs', 'nodes', 'largest difference']);

describe.each([...Object.keys(ALGORITHMS), ...Object.keys(SETTINGS)])('%s', (title) => {
  test('gives the same numbers on ONNX Runtime and on TensorFlow.js', async () => {
    const graphs = await graphsOf(title.split(',')[0]!, SETTINGS[title] ?? {});
    expect(graphs.length).toBeGreaterThan(1);
    for (const { graph, inputs, outputs } of graphs) {
      const others = await outputsOnce(EXECUTORS['TensorFlow.js']!, graph, inputs!);
      for (const { name } of graph.outputs) {
        const difference = largestDifference(others[name]!, outputs![name]!);
        expect(difference, `${name} of ${graph.nodes.length} nodes`).toBeLessThanOrEqual(TOLERANCE);
        note(title, 'largest difference', difference);
      }
      note(title, 'nodes', graph.nodes.length);
    }
    note(title, 'graphs', graphs.length);
  });
});
