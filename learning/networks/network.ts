import type { RandomStream } from '../../simulators/random.ts';
import type { Expression, Shape } from '../graph/expression.ts';
import {
  initializePerceptron,
  multiLayerPerceptron,
  orthogonalMatrix,
  type Perceptron,
  perceptronShapes,
} from '../graph/layers.ts';
import { add, multiply, relu, slice, tanh } from '../graph/operators.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import { gruCell, gruShapes, unrolledGru } from './gru.ts';

// Letters: M rows, L steps, Q sequences, I inputs, O outputs, H units of a memory, P parameters.

type Parameters = Readonly<Record<string, Expression>>;

export interface NetworkShape {
  /** Prefix of its parameters' names. */
  readonly name: string;
  readonly inputSize: number;
  readonly outputSize: number;
  readonly hiddenSizes: readonly number[];
  readonly activation: 'tanh' | 'relu';
  /** H; 0 for a network that acts on its inputs alone. */
  readonly memorySize: number;
}

/** What a network makes of rows. */
export interface Applied {
  /** Shape [M O]. */
  readonly outputs: Expression;
  /** Shape [M H]; null without a memory. */
  readonly memory: Expression | null;
}

/** What a network with a memory needs to go through sequences whose rows lie step by step: row l·Q + q is step l of q. */
export interface Sequences {
  /** The memory before the first step, shape [Q H]. */
  readonly start: Expression;
  /** Shape [L·Q 1]: 0 where an episode begins at that step, which makes the memory 0 before it; 1 elsewhere. */
  readonly keep: Expression;
}

/** A function of rows whose parameters lie in one flat vector. */
export interface Network {
  readonly memorySize: number;
  /** Shapes of its parameters by name, in the order in which they shall lie. */
  readonly shapes: Readonly<Record<string, Shape>>;
  /** @param x shape [M I] @param memory shape [M H]; null without a memory */
  apply(x: Expression, parameters: Parameters, memory: Expression | null): Applied;
  /**
   * The same as applying it step by step, each step with the memory of the one before, and far fewer nodes: encoder and head
   * see all rows at once.
   * @param x shape [L·Q I] @param sequences null without a memory
   * @returns outputs [L·Q O], and the memory after each step [L·Q H]
   */
  unroll(x: Expression, parameters: Parameters, sequences: Sequences | null): Applied;
  /**
   * Fills its place in the flat vector: weights orthogonal times a gain, biases 0.
   * @param flat shape [P] @param gains of hidden layers and of the last
   */
  initialize(flat: Float32Array, layout: ParameterLayout, options: InitializeOptions): void;
}

export interface InitializeOptions {
  readonly random: RandomStream;
  readonly gains: { readonly hidden: number; readonly last: number };
}

/** A perceptron; or, with a memory, a perceptron, a gated recurrent unit and a linear layer. */
export function createNetwork(shape: NetworkShape): Network {
  return shape.memorySize === 0 ? perceptronNetwork(shape) : recurrentNetwork(shape);
}

function perceptronNetwork({ name, inputSize, outputSize, hiddenSizes, activation }: NetworkShape): Network {
  const perceptron: Perceptron = { name, sizes: [inputSize, ...hiddenSizes, outputSize], activation };
  const apply = (x: Expression, parameters: Parameters): Applied => ({
    outputs: multiLayerPerceptron(x, parameters, perceptron),
    memory: null,
  });
  return {
    memorySize: 0,
    shapes: perceptronShapes(perceptron),
    apply,
    unroll: apply,
    initialize: (flat, layout, options) => initializePerceptron(flat, layout, perceptron, options),
  };
}

function recurrentNetwork({ name, inputSize, outputSize, hiddenSizes, activation, memorySize }: NetworkShape): Network {
  const encoder: Perceptron = { name: `${name}.encoder`, sizes: [inputSize, ...hiddenSizes], activation };
  const head: Perceptron = { name: `${name}.head`, sizes: [memorySize, outputSize], activation };
  const gru = `${name}.gru`;
  const activate = activation === 'tanh' ? tanh : relu;
  const encoded = (x: Expression, parameters: Parameters): Expression =>
    activate(multiLayerPerceptron(x, parameters, encoder));
  const applied = (memory: Expression, parameters: Parameters): Applied => ({
    outputs: multiLayerPerceptron(memory, parameters, head),
    memory,
  });
  return {
    memorySize,
    shapes: {
      ...perceptronShapes(encoder),
      ...gruShapes(gru, hiddenSizes.at(-1)!, memorySize),
      ...perceptronShapes(head),
    },
    apply: (x, parameters, memory) => applied(gruCell(encoded(x, parameters), memory!, parameters, gru), parameters),
    unroll: (x, parameters, sequences) =>
      applied(unrolledGru(encoded(x, parameters), sequences!, parameters, gru), parameters),
    initialize(flat, layout, { random, gains }) {
      initializePerceptron(flat, layout, encoder, { random, gains: { hidden: gains.hidden, last: gains.hidden } });
      for (const part of ['input', 'recurrent']) initializeGates(flat, layout, `${gru}.${part}`, random);
      initializePerceptron(flat, layout, head, { random, gains });
    },
  };
}

/** Each third of a packed matrix [rows 3H] is orthogonal by itself: they are three matrices that lie side by side. */
function initializeGates(flat: Float32Array, layout: ParameterLayout, name: string, random: RandomStream): void {
  const { offset, shape } = layout[name]!;
  const [rows, columns] = shape as readonly [number, number];
  const size = columns / 3;
  for (let gate = 0; gate < 3; gate += 1) {
    const matrix = orthogonalMatrix(rows, size, random);
    matrix.forEach((value, index) => {
      flat[offset + Math.floor(index / size) * columns + gate * size + (index % size)] = value;
    });
  }
}

/**
 * One network for every seat of a group, told apart by the one-hot of the seat at the end of a row: rows of other seats
 * pass through it for nothing, which costs as many forward passes as there are seats, and keeps a policy one graph.
 *
 * @param seatCount at least 1: the length of the one-hot, which the networks do not see
 */
export function createSeatNetworks(shape: NetworkShape, seatCount: number): Network {
  const own = Array.from({ length: seatCount }, (_, place) =>
    createNetwork({ ...shape, name: `${shape.name}.seat${place}`, inputSize: shape.inputSize - seatCount }),
  );
  /** @param use what one seat's network makes of what it sees */
  const chosen = (x: Expression, use: (network: Network, seen: Expression) => Applied): Applied => {
    const width = shape.inputSize - seatCount;
    const seen = slice(x, 1, 0, width);
    const isSeat = own.map((_, place) => slice(x, 1, width + place, width + place + 1));
    const made = own.map((network) => use(network, seen));
    const ofSeat = (values: readonly Expression[]): Expression =>
      values.map((value, place) => multiply(value, isSeat[place]!)).reduce((sum, value) => add(sum, value));
    return {
      outputs: ofSeat(made.map(({ outputs }) => outputs)),
      memory: shape.memorySize === 0 ? null : ofSeat(made.map(({ memory }) => memory!)),
    };
  };
  return {
    memorySize: shape.memorySize,
    shapes: Object.assign({}, ...own.map(({ shapes }) => shapes)) as Record<string, Shape>,
    apply: (x, parameters, memory) => chosen(x, (network, seen) => network.apply(seen, parameters, memory)),
    // All rows of a sequence are of one seat: each network may go through them as if they all were its own.
    unroll: (x, parameters, sequences) => chosen(x, (network, seen) => network.unroll(seen, parameters, sequences)),
    initialize: (flat, layout, options) => own.forEach((network) => network.initialize(flat, layout, options)),
  };
}
