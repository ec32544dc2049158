import type { LoopShape } from '../../learning/executor.ts';
import type { Graph, GraphNode } from '../../learning/graph/expression.ts';
import { createEmitter } from './emission.ts';
import { emitGraph } from './model.ts';
import { encodedModel, type ElementType, type OnnxGraph, type OnnxValue } from './model-proto.ts';

/** Name of the input that says how many steps are taken: int64, a scalar. */
export const STEP_COUNT = 'step_count';

/** What the body of an ONNX loop is always given and gives. */
const STEP: OnnxValue = { name: 'step', type: 'int64', shape: [] };
const GOES_ON: OnnxValue = { name: 'goes_on', type: 'bool', shape: [] };

/** The name of a value inside of the loop, where there is one outside, too: a body must not use such a name again. */
const inside = (name: string): string => `${name}@`;

/**
 * A graph that is run step after step as the bytes of an ONNX model: one `Loop` with the graph as its body. What has an
 * entry for each step is taken by the number of the step, what is the same in all is seen from inside.
 */
export function onnxLoopModel(graph: Graph, shape: LoopShape): Uint8Array {
  const { stepsMax, carried, stepped } = shape;
  const outputs = Object.keys(carried).map((name) => {
    const { node } = graph.outputs.find((each) => each.name === name)!;
    return valueFrom(name, graph.nodes[node]!);
  });
  const loop = {
    opType: 'Loop',
    inputs: [STEP_COUNT, '', ...Object.values(carried)],
    outputs: Object.keys(carried),
    attributes: { body: { body: bodyOf(graph, shape, outputs) } },
  };
  const inputs = graph.inputs.map((each) =>
    valueFrom(each.name, stepped.includes(each.name) ? { ...each, shape: [stepsMax, ...each.shape] } : each),
  );
  return encodedModel({
    nodes: [loop],
    initializers: [],
    inputs: [{ name: STEP_COUNT, type: 'int64', shape: [] }, ...inputs],
    outputs,
    metadata: {},
  });
}

function bodyOf(graph: Graph, { carried, stepped }: LoopShape, outputs: readonly OnnxValue[]): OnnxGraph {
  const emitter = createEmitter(({ shape }) => shape);
  const goesOn = emitter.emit('Identity', [GOES_ON.name], inside(GOES_ON.name));
  for (const name of stepped) emitter.emit('Gather', [name, STEP.name], inside(name), { axis: 0 });
  const names = namesInside(graph, [...stepped, ...Object.values(carried)]);
  emitGraph(emitter, graph, names);
  for (const { name, node } of graph.outputs) {
    if (names[node] !== inside(name)) emitter.emit('Identity', [names[node]!], inside(name));
  }
  const carriedInputs = Object.values(carried).map((name) => graph.inputs.find((each) => each.name === name)!);
  return {
    nodes: emitter.nodes,
    initializers: emitter.initializers,
    inputs: [STEP, GOES_ON, ...carriedInputs.map((each) => valueFrom(inside(each.name), each))],
    outputs: [{ ...GOES_ON, name: goesOn }, ...outputs.map((each) => ({ ...each, name: inside(each.name) }))],
  };
}

/** By the ids of nodes. @param marked inputs that are others inside than outside */
function namesInside(graph: Graph, marked: readonly string[]): string[] {
  const names = graph.nodes.map((node) => {
    if (node.op !== 'input') return `#${node.id}`;
    const { name } = (node as GraphNode<'input'>).attributes;
    return marked.includes(name) ? inside(name) : name;
  });
  for (const { name, node } of graph.outputs) {
    if (names[node] === `#${node}` && graph.nodes[node]!.op !== 'constant') names[node] = inside(name);
  }
  return names;
}

function valueFrom(name: string, { shape, dtype }: { shape: readonly number[]; dtype: string }): OnnxValue {
  return { name, type: dtype as ElementType, shape };
}
