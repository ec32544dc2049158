import type { CompiledGraph, NamedArrays } from '../../executor.ts';
import type { Graph } from '../../graph/expression.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { input } from '../../graph/operators.ts';
import { excludeIllegal } from '../../rollout/action-choice.ts';
import type { Actor, ActorOptions } from '../contract.ts';
import { fillLargest, greedyLogProbabilities } from './epsilon-greedy.ts';
import { observationName } from './observed-moments.ts';
import type { ValueParameters } from './parameters.ts';
import { observed } from './update-graph.ts';
import { type GroupNetwork, groupValues, namedParameters, type ValueNetworks } from './value-networks.ts';

// Letters: R rows, B environments, I input features, A actions, C numbers that all seats see together.

/** One forward pass of a group: `inputs` [R I] → `logits` [R A], what actions are worth. */
export function actingGraph(
  networks: ValueNetworks,
  group: GroupNetwork,
  rowCount: number,
  parameters: ValueParameters,
): Graph {
  const { policy } = group;
  const newest = namedParameters(networks, input('parameters', [networks.parameterCount]));
  const x = observed(input('inputs', [rowCount, policy.inputSize]), observationName(policy.group), parameters);
  return graphFromOutputs({ logits: groupValues(group, newest, x) });
}

/** What an actor reads at every pass: whatever its learner has now. */
export interface ActingState {
  readonly inputs: () => NamedArrays;
  /** ε */
  readonly exploration: () => number;
  /** Units of return of what rewards were divided by. */
  readonly unit: () => number;
  /** C; 0 where nobody learns from it. */
  readonly jointSize: number;
}

/**
 * Its logits are the logarithms of the probabilities with which it takes actions: the best legal one for certain, unless it
 * explores. What actions are worth must not stand there: who draws from softmax(worths) plays nearly at random (returns of
 * −74 where the best actions gave −55 and chance −81). Values are those of the best legal action.
 */
export class ValueActor implements Actor {
  readonly rowCount: number;
  readonly inputs: Float32Array;
  readonly masks: Uint8Array | null;
  readonly joint: Float32Array | null;
  readonly memory = null;
  readonly logits: Float32Array;
  readonly values: Float32Array | null;
  private readonly graph: CompiledGraph;
  private readonly actionCount: number;
  private readonly explores: boolean;
  private readonly state: ActingState;

  constructor(
    graph: CompiledGraph,
    { policy, actionCount }: GroupNetwork,
    { rowCount, environmentCount, values, explores }: ActorOptions & { readonly rowCount: number },
    state: ActingState,
  ) {
    // It acts on what each seat sees; what all see is there to be recorded.
    this.joint = explores && state.jointSize > 0 ? new Float32Array(environmentCount * state.jointSize) : null;
    this.graph = graph;
    this.state = state;
    this.explores = explores;
    this.actionCount = actionCount;
    this.rowCount = rowCount;
    this.inputs = new Float32Array(rowCount * policy.inputSize);
    this.masks = policy.isMasked ? new Uint8Array(rowCount * actionCount) : null;
    this.logits = new Float32Array(rowCount * actionCount);
    this.values = values ? new Float32Array(rowCount) : null;
  }

  async forward(): Promise<void> {
    const { inputs, logits, masks, values, state } = this;
    await this.graph.run({ ...state.inputs(), inputs }, { logits });
    if (masks !== null) excludeIllegal(logits, masks);
    if (values !== null) this.fillValues(logits, values);
    greedyLogProbabilities(logits, this.actionCount, this.explores ? state.exploration() : 0);
  }

  private fillValues(logits: Float32Array, values: Float32Array): void {
    const unit = this.state.unit();
    fillLargest(logits, values);
    for (let row = 0; row < values.length; row += 1) values[row]! *= unit;
  }

  /** The compiled pass is the learner's, which keeps it. */
  async release(): Promise<void> {}
}
