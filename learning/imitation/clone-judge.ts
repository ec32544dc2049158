import type { CompiledGraph, Executor } from '../executor.ts';
import { type CloneNetwork, judgingGraph, outputSizeOf } from './clone-network.ts';
import type { Samples } from './demonstrations.ts';
import { type Agreement, AgreementSum } from './likelihood.ts';
import { gatherRows, type ScaledSamples } from './scaled-samples.ts';

// Letters: I observation features, P parameters.

/** Rows of a pass. */
const JUDGED_ROWS = 1024;

/** Tells how well parameters agree with the held-out samples. */
export class Judge {
  private readonly graph: CompiledGraph;
  private readonly network: CloneNetwork;
  private readonly samples: ScaledSamples;
  private readonly rows: Int32Array;
  private readonly observations: Float32Array;
  private readonly outputs: Float32Array;
  /** Of a pass; none where nothing is known of what was legal. */
  private readonly masks: { readonly masks?: Float32Array };

  private constructor(network: CloneNetwork, samples: ScaledSamples, rows: Int32Array, graph: CompiledGraph) {
    this.graph = graph;
    this.network = network;
    this.samples = samples;
    this.rows = rows;
    this.observations = new Float32Array(JUDGED_ROWS * samples.inputSize);
    this.outputs = new Float32Array(JUDGED_ROWS * outputSizeOf(network));
    this.masks = samples.masks === null ? {} : { masks: new Float32Array(this.outputs.length) };
  }

  static async create(
    network: CloneNetwork,
    samples: ScaledSamples,
    { heldout, executor }: { heldout: Samples; executor: Executor },
  ): Promise<Judge> {
    return new Judge(network, samples, heldout.rows, await executor.compile(judgingGraph(network, JUDGED_ROWS)));
  }

  /** @param parameters shape [P] */
  async agreement(parameters: Float32Array): Promise<Agreement> {
    const { samples, rows, observations, outputs, masks, network } = this;
    const { mean, scale } = samples.moments;
    const sum = new AgreementSum(network.space);
    for (let first = 0; first < rows.length; first += JUDGED_ROWS) {
      const part = rows.subarray(first, first + JUDGED_ROWS);
      // What is left of an earlier part behind a shorter last one is computed and not looked at.
      gatherRows(samples.inputs, part, samples.inputSize, observations);
      if (masks.masks) gatherRows(samples.masks!, part, masks.masks.length / JUDGED_ROWS, masks.masks);
      await this.graph.run({ ...masks, parameters, observations, mean, scale }, { outputs });
      part.forEach((sample, row) => sum.add(outputs, row, samples.actions, sample));
    }
    return sum.mean();
  }

  async release(): Promise<void> {
    await this.graph.release();
  }
}
