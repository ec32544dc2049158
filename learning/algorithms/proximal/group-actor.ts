import type { CompiledGraph } from '../../executor.ts';
import type { Graph } from '../../graph/expression.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { concat, constant, gatherRows, input, slice } from '../../graph/operators.ts';
import { parametersFromFlat } from '../../graph/parameters.ts';
import { excludeIllegal } from '../../rollout/action-choice.ts';
import { actionHead } from '../../rollout/action-head.ts';
import type { Actor, ActorMemory, PolicyDescription } from '../contract.ts';
import { actorApplied, type ActorCritic, criticApplied, type Pass, valuesOf } from './actor-critic.ts';
import type { Normalizers } from './normalizers.ts';
import { observed } from './observed.ts';

// Letters: R rows of a forward pass, B environments that they belong to, I input features, O outputs of a policy, C numbers
// that all seats see together, H numbers that the actor remembers, and the critic as many.

export interface PassSize {
  /** R */
  readonly rowCount: number;
  /** B */
  readonly environmentCount: number;
  /** Whether the critic is asked, too. */
  readonly values: boolean;
}

/**
 * One forward pass. What is remembered is the actor's part [R H] and the critic's beside it; a critic that is not asked
 * does not move. Rows of one environment share what all seats see: it is taken by index.
 */
export function actingGraph(
  network: ActorCritic,
  { rowCount, environmentCount, values }: PassSize,
  isNormalized: boolean,
): Graph {
  const { layout, parameterCount, policy, jointSize, memorySize } = network;
  const parameters = parametersFromFlat(input('parameters', [parameterCount]), layout);
  const memory = memorySize > 0 ? input('memory', [rowCount, 2 * memorySize]) : null;
  const part = (place: number) => memory && slice(memory, 1, place * memorySize, (place + 1) * memorySize);
  const pass =
    (place: number): Pass =>
    (each, seen) =>
      each.apply(seen, parameters, part(place));
  const x = observed(input('inputs', [rowCount, policy.inputSize]), isNormalized);
  const acted = actorApplied(network, parameters, x, pass(0));
  const judged = values ? criticApplied(network, x, jointRows(), pass(1)) : null;
  const next = memory && concat([acted.memory!, judged?.memory ?? part(1)!], 1);
  return graphFromOutputs({
    logits: acted.outputs,
    ...(judged && { values: valuesOf(judged) }),
    ...(next && { memory_next: next }),
  });

  function jointRows() {
    if (jointSize === 0) return null;
    const seatCount = rowCount / environmentCount;
    const environments = Int32Array.from({ length: rowCount }, (_, row) => Math.floor(row / seatCount));
    return gatherRows(
      observed(input('joint', [environmentCount, jointSize]), isNormalized, 'joint'),
      constant(environments),
    );
  }
}

/** What it reads at each pass: whatever the network has now. */
interface Current {
  readonly parameters: () => Float32Array;
  readonly normalizers: Normalizers;
}

/** A compiled forward pass with arrays of its own, so that two who use one pass do not share a memory. */
export class GroupActor implements Actor {
  readonly rowCount: number;
  readonly inputs: Float32Array;
  readonly masks: Uint8Array | null;
  readonly joint: Float32Array | null;
  readonly memory: ActorMemory | null;
  readonly logits: Float32Array;
  readonly values: Float32Array | null;
  private readonly graph: CompiledGraph;
  private readonly current: Current;

  constructor(
    graph: CompiledGraph,
    { inputSize, actions, isMasked, memorySize }: PolicyDescription,
    jointSize: number,
    { rowCount, environmentCount, values }: PassSize,
    current: Current,
  ) {
    const { outputSize } = actionHead(actions);
    const floats = (size: number): Float32Array => new Float32Array(rowCount * size);
    this.graph = graph;
    this.current = current;
    this.rowCount = rowCount;
    this.inputs = floats(inputSize);
    this.masks = isMasked ? new Uint8Array(rowCount * outputSize) : null;
    this.joint = values && jointSize > 0 ? new Float32Array(environmentCount * jointSize) : null;
    this.memory = memorySize > 0 ? { size: memorySize, now: floats(memorySize), next: floats(memorySize) } : null;
    this.logits = floats(outputSize);
    this.values = values ? floats(1) : null;
  }

  async forward(): Promise<void> {
    const { inputs, logits, values, joint, memory, masks } = this;
    const { parameters, normalizers } = this.current;
    await this.graph.run(
      {
        parameters: parameters(),
        inputs,
        ...normalizers.inputs,
        ...(joint && { joint }),
        ...(memory && { memory: memory.now }),
      },
      { logits, ...(values && { values }), ...(memory && { memory_next: memory.next }) },
    );
    if (masks !== null) excludeIllegal(logits, masks);
    if (values === null) return;
    const { mean, std } = normalizers.returns;
    for (let row = 0; row < values.length; row += 1) values[row] = mean + std * values[row]!;
  }

  /** The pass is the network's, which keeps it. */
  async release(): Promise<void> {}
}
