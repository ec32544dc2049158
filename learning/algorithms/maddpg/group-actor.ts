import type { CompiledGraph, NamedArrays } from '../../executor.ts';
import type { Expression, Graph } from '../../graph/expression.ts';
import { graphFromOutputs } from '../../graph/graph.ts';
import { broadcastTo, concat, input } from '../../graph/operators.ts';
import { normalizedObservations } from '../../normalization/observation-moments.ts';
import { excludeIllegal } from '../../rollout/action-choice.ts';
import { actionHead } from '../../rollout/action-head.ts';
import type { Actor, PolicyDescription } from '../contract.ts';
import { type ActorNetwork, actorOutputs, boxAction } from './actor-network.ts';
import { jointValues } from './joint-values.ts';
import type { LearningGroup } from './learning-group.ts';

// Letters: R rows, B environments, I input features, O outputs as `actionHead` reads them, A actions or numbers of a box.

export interface ActingPass {
  readonly policy: PolicyDescription;
  readonly network: ActorNetwork;
  /** R */
  readonly rowCount: number;
  /** B */
  readonly environmentCount: number;
  readonly isNormalized: boolean;
  /** The groups whose actors the values depend on, its own among them; null where no values are asked for. */
  readonly valued: { readonly group: LearningGroup; readonly groups: readonly LearningGroup[] } | null;
}

export function actingGraph(pass: ActingPass): Graph {
  const { policy, network, rowCount, environmentCount, isNormalized, valued } = pass;
  const size = [policy.inputSize];
  const inputs = input('inputs', [rowCount, policy.inputSize]);
  const [mean, scale] = ['mean', 'scale'].map((name) => input(`${policy.group}_${name}`, size));
  const x = isNormalized ? normalizedObservations(inputs, mean!, scale!) : inputs;
  const outputs = headOutputs(policy, actorOutputs(network, input('parameters', [network.parameterCount]), x), null);
  if (valued === null) return graphFromOutputs({ logits: outputs });
  const masks = policy.isMasked ? input('masks', outputs.shape) : null;
  return graphFromOutputs({
    logits: outputs,
    values: jointValues({ ...valued, environmentCount, inputs, masks, isNormalized }),
  });
}

/**
 * What an actor puts out, as `actionHead` reads it: logits, or means and logarithms of the deviation that all numbers share.
 * @param outputs shape [R A] @param logDeviation shape [1]; null for the input of that name @returns shape [R O]
 */
export function headOutputs(
  { actions }: PolicyDescription,
  outputs: Expression,
  logDeviation: Expression | null,
): Expression {
  if (actions.kind === 'discrete') return outputs;
  const deviation = logDeviation ?? input('log_deviation', [1]);
  return concat([boxAction(outputs), broadcastTo(deviation, outputs.shape)], 1);
}

/** What changes between forward passes. */
export interface ActingState {
  /** Parameters and moments, by the names of the graph's inputs. */
  readonly arrays: NamedArrays;
  /** Share of actions that are uniformly random. */
  readonly exploration: number;
  /** Units of return of what rewards were divided by. */
  readonly unit: number;
}

/** A compiled forward pass with arrays of its own, which reads whatever weights its learner has now. */
export class GroupActor implements Actor {
  readonly rowCount: number;
  readonly inputs: Float32Array;
  readonly masks: Uint8Array | null;
  readonly joint: Float32Array | null;
  readonly memory = null;
  readonly logits: Float32Array;
  readonly values: Float32Array | null;
  private readonly graph: CompiledGraph;
  private readonly current: () => ActingState;
  private readonly actionCount: number;
  /** Shape [R A], as the graph reads them. */
  private readonly legal: Float32Array;

  /**
   * @param graph that of `actingGraph`
   * @param jointSize numbers of what all seats see; 0 where nothing asks for it
   * @param hasValues whether it answers with values, which are 0 where the group has no learner
   */
  constructor(
    graph: CompiledGraph,
    { policy, rowCount, environmentCount }: ActingPass,
    { jointSize, hasValues }: { readonly jointSize: number; readonly hasValues: boolean },
    current: () => ActingState,
  ) {
    const { outputSize } = actionHead(policy.actions);
    this.graph = graph;
    this.rowCount = rowCount;
    this.inputs = new Float32Array(rowCount * policy.inputSize);
    this.logits = new Float32Array(rowCount * outputSize);
    this.masks = policy.isMasked ? new Uint8Array(this.logits.length) : null;
    this.legal = new Float32Array(policy.isMasked ? this.logits.length : 0);
    this.actionCount = policy.actions.kind === 'discrete' ? outputSize : 0;
    this.joint = jointSize > 0 ? new Float32Array(environmentCount * jointSize) : null;
    this.values = hasValues ? new Float32Array(rowCount) : null;
    this.current = current;
  }

  async forward(): Promise<void> {
    const { inputs, logits, masks, legal, joint, values } = this;
    const { arrays, exploration, unit } = this.current();
    if (masks !== null) legal.set(masks);
    const seen = joint === null ? {} : { joint };
    await this.graph.run({ ...arrays, inputs, masks: legal, ...seen }, { logits, ...(values !== null && { values }) });
    for (let row = 0; row < (values?.length ?? 0); row += 1) values![row]! *= unit;
    if (masks !== null) excludeIllegal(logits, masks);
    if (exploration > 0 && this.actionCount > 0) mixWithUniform(logits, this.actionCount, exploration);
  }

  /** The compiled pass is the networks', which keep it. */
  async release(): Promise<void> {}
}

/** log((1 − ε) softmax(logits) + ε uniform over what is not −∞), in place. @param logits shape [R A] */
export function mixWithUniform(logits: Float32Array, actionCount: number, share: number): void {
  for (let first = 0; first < logits.length; first += actionCount) {
    const row = logits.subarray(first, first + actionCount);
    const largest = row.reduce((best, logit) => Math.max(best, logit), -Infinity);
    let [total, legalCount] = [0, 0];
    for (const logit of row) {
      total += Math.exp(logit - largest);
      if (logit > -Infinity) legalCount += 1;
    }
    row.forEach((logit, action) => {
      if (logit === -Infinity) return;
      row[action] = Math.log(((1 - share) * Math.exp(logit - largest)) / total + share / legalCount);
    });
  }
}
