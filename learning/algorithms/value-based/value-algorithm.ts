import type { Algorithm, LearnerSetup } from '../contract.ts';
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
    gradientRows(parameters) {
      const { minibatch_size: rows } = parameters as ValueParameters;
      return { minibatchRows: rows, grainRows: rows, chunkRows: rows };
    },
    createLearner: async (setup) => new ValueLearner(createObjective(setup), setup),
  };
}
