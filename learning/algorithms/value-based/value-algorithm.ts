import type { z } from 'zod';
import type { Algorithm, AlgorithmParameters, LearnerSetup } from '../contract.ts';
import type { Objective } from './objective.ts';
import type { ValueParameters } from './parameters.ts';
import { ValueLearner } from './value-learner.ts';

/**
 * An algorithm that learns what discrete actions are worth. A minibatch is computed as a whole: its few hundred
 * transitions take less memory than what is kept of former blocks.
 */
export function valueAlgorithm(
  own: Pick<Algorithm, 'name' | 'aliases' | 'summary' | 'parametersSchema' | 'learnersMax'>,
  createObjective: (setup: LearnerSetup) => Objective,
): Algorithm {
  return {
    ...own,
    actions: ['discrete'],
    parametersSchema: (world) => own.parametersSchema(world).superRefine(refuseEndlessWait),
    gradientRows(parameters) {
      const { minibatch_size: rows } = parameters as ValueParameters;
      return { minibatchRows: rows, grainRows: rows, chunkRows: rows };
    },
    createLearner: async (setup) => new ValueLearner(createObjective(setup), setup),
  };
}

/** Learning that starts when more is kept than there is room for would never start, without a word. */
function refuseEndlessWait(parameters: AlgorithmParameters, context: z.RefinementCtx): void {
  const {
    learning_starts: start,
    replay: { capacity },
  } = parameters as ValueParameters;
  if (start <= capacity) return;
  context.addIssue({
    code: 'custom',
    path: ['learning_starts'],
    message: `at most ${capacity}, the algorithm.replay.capacity, because no more is ever kept`,
    params: { remedy: `Lower it to ${capacity}, or raise algorithm.replay.capacity.` },
  });
}
