import type { PolicyGraph } from '../algorithms/exported-policy.ts';
import type { Executor } from '../executor.ts';
import { ObservationMoments } from '../normalization/observation-moments.ts';
import { type FitOptions, Fitter } from './clone-fitter.ts';
import { Judge } from './clone-judge.ts';
import { clonedPolicy, createCloneNetwork } from './clone-network.ts';
import { type Demonstrations, splitByEpisode } from './demonstrations.ts';
import { type Agreement, AgreementSum, scaledActions } from './likelihood.ts';
import { marginalOutputs } from './marginal-baseline.ts';
import type { ScaledSamples } from './scaled-samples.ts';

export interface CloneOptions extends FitOptions {
  readonly hiddenSizes: readonly number[];
  readonly epochsMax: number;
  /** Epochs without a better held-out likelihood after which it stops. */
  readonly patienceEpochs: number;
  /** Of the episodes, 0 … 1. */
  readonly heldoutShare: number;
}

/** How well a clone imitates, on episodes that it was not fitted to. */
export interface CloneReport {
  readonly trainingEpisodes: number;
  readonly trainingSamples: number;
  readonly heldoutEpisodes: number;
  readonly heldoutSamples: number;
  /** The epoch whose weights were kept, of those that were gone through. */
  readonly keptEpoch: number;
  readonly epochs: number;
  readonly heldout: Agreement;
  /** What whoever looks at nothing comes to on the same samples, see `marginalOutputs`. */
  readonly baseline: Agreement;
}

/** Where a clone will play. */
export interface ClonedSeat {
  readonly group: number;
  /** Whether it is told there which actions are legal. */
  readonly isMasked: boolean;
}

interface Clone {
  readonly policy: PolicyGraph;
  readonly report: CloneReport;
}

/**
 * Behaviour cloning: fits a policy to what was done in what was seen, by maximum likelihood, and keeps the weights with the
 * best likelihood on episodes that were held out. The same demonstrations, options and executor give the same weights.
 *
 * @param seat whose actions these are
 * @throws REQUEST_BAD_ARGUMENT when there are fewer than two episodes
 * @source Pomerleau 1991: Efficient Training of Artificial Neural Networks for Autonomous Navigation
 */
export async function clonePolicy(
  demonstrations: Demonstrations,
  { group, isMasked: isMaskedInPlay }: ClonedSeat,
  options: CloneOptions,
  executor: Executor,
): Promise<Clone> {
  const { inputSize, space, inputs } = demonstrations;
  const { training, heldout } = splitByEpisode(demonstrations, options.heldoutShare, options.seed);
  const actions = scaledActions(space, demonstrations.actions);
  const moments = new ObservationMoments(inputSize, inputSize);
  moments.add(inputs, training.rows);
  const isMasked = demonstrations.masks !== null;
  const network = createCloneNetwork({ inputSize, space, isMasked }, options.hiddenSizes);
  const samples: ScaledSamples = {
    inputSize,
    actionSize: actions.length / demonstrations.episodes.length,
    inputs,
    actions,
    masks: demonstrations.masks,
    moments,
  };
  const fitter = await Fitter.create(network, samples, { training, options, executor });
  const judge = await Judge.create(network, samples, { heldout, executor });
  try {
    const { parameters, ...fit } = await fitUntilWorse(fitter, judge, options);
    const marginal = marginalOutputs(space, actions, training.rows);
    const baseline = new AgreementSum(space);
    for (const row of heldout.rows) baseline.add(marginal, 0, actions, row);
    const report = {
      trainingEpisodes: training.episodes,
      trainingSamples: training.rows.length,
      heldoutEpisodes: heldout.episodes,
      heldoutSamples: heldout.rows.length,
      ...fit,
      baseline: baseline.mean(),
    };
    return { policy: clonedPolicy(network, parameters, { group, moments, isMasked: isMaskedInPlay }), report };
  } finally {
    await fitter.release();
    await judge.release();
  }
}

/** Early stopping: epochs go on until the held-out likelihood has not risen for as many as the patience lasts. */
async function fitUntilWorse(fitter: Fitter, judge: Judge, { epochsMax, patienceEpochs }: CloneOptions) {
  let best = { parameters: fitter.parameters, keptEpoch: 0, heldout: await judge.agreement(fitter.parameters) };
  let epochs = 0;
  while (epochs < epochsMax && epochs - best.keptEpoch < patienceEpochs) {
    await fitter.epoch(epochs);
    epochs += 1;
    const heldout = await judge.agreement(fitter.parameters);
    if (heldout.logLikelihood > best.heldout.logLikelihood) {
      best = { parameters: fitter.parameters, keptEpoch: epochs, heldout };
    }
  }
  return { ...best, epochs };
}
