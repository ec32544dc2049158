import type { Algorithm } from '../contract.ts';
import { blockSequences, gradientRows } from './gradient-rows.ts';
import { type ProximalKind, ProximalLearner } from './learner.ts';
import { completeParameters, proximalSchema } from './parameters.ts';

type Described = Pick<Algorithm, 'name' | 'aliases' | 'summary' | 'learnersMax'>;

/** An algorithm of the proximal kind. */
export function proximalAlgorithm(described: Described, kind: ProximalKind): Algorithm {
  return {
    ...described,
    parametersSchema: (world) => proximalSchema(described.name, world),
    gradientRows: (resolved, world) => {
      const parameters = completeParameters(resolved, world);
      const { parallel_environments: environments, rollout_steps: steps } = parameters;
      const seatsMax = Math.max(...world.groups.map(({ seats }) => seats.length));
      return gradientRows(parameters, blockSequences(parameters, steps, environments * seatsMax));
    },
    createLearner: async (setup) => new ProximalLearner(setup, kind),
  };
}
