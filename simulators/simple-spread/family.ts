import type { Family, SimulatorData, World } from '../contract.ts';
import { SpreadBatch } from './batch.ts';
import { createCatalogue } from './catalogue.ts';
import { FEATURES, observationParts } from './observation.ts';
import { optionsSchema } from './options.ts';
import { compile, createParameters, SCRIPTED_POLICIES } from './parameters.ts';
import { createSimulatorSchema, createStartSchema } from './simulator-data.ts';

/**
 * # simple_spread
 *
 * N = 2 … 8 agents must cover N landmarks without touching one another. The rules are those of MPE2 1.1.1.
 *
 * **State.** Position and velocity of every agent, position of every landmark, in a plane without walls. Lengths are in
 * units of half the side of the square in which an episode starts, times in seconds (a step lasts 0.1 s).
 *
 * **Actions.** 0 nothing, 1 left (−x), 2 right (+x), 3 down (−y), 4 up (+y).
 *
 * **Observation** of a seat, unclipped, with N agents. Items of other agents come in the order of their seats.
 *
 * | index | what | unit |
 * |--|--|--|
 * | 0 … 1 | own velocity x, y | length/s |
 * | 2 … 3 | own position x, y | length |
 * | 4 … 2N + 3 | each landmark's position minus the own | length |
 * | 2N + 4 … 4N + 1 | each other agent's position minus the own | length |
 * | next 2N − 2, with `observe_velocities` | each other agent's velocity | length/s |
 * | last 2N − 2, with `communication_channel` | what each other agent says: always 0 | 1 |
 *
 * **Rewards** of a seat: −coverage · Σ over landmarks of the distance to the nearest agent · (1 − local_ratio)
 * − collision · (agents it touches) · local_ratio. The return of an episode is the sum over all seats.
 *
 * **Ends.** Never by itself; every episode is truncated after `episode_steps` (25). Success: every landmark is within
 * 0.1 of an agent.
 *
 * **Start.** Agents and landmarks uniform in [−1, 1]², at rest; see `scenarios` in `simulator-data.ts`.
 *
 * **Parameters** with defaults, ranges and units: `parameters.ts`. **Partners**: `partners.ts`. Further: noise on the
 * observations, delay of the actions that come from outside.
 *
 * **Source.** MPE2 1.1.1, `mpe2/simple_spread` and `mpe2/_mpe_utils`, with which `test/golden` agrees step by step.
 * Lowe et al.: Multi-Agent Actor-Critic for Mixed Cooperative-Competitive Environments (NIPS 2017).
 */
export const simpleSpread: Family = {
  name: 'simple_spread',
  version: 'mpe2-1.1.1/1',
  summary: 'N agents cover N landmarks without touching one another (MPE2).',
  optionsSchema,
  open,
};

function open(given: Readonly<Record<string, unknown>>): World {
  const options = optionsSchema.parse(given);
  const seatCount = options.agents;
  const parameters = createParameters(seatCount);
  const observation = observationParts(options);
  return {
    family: simpleSpread.name,
    version: simpleSpread.version,
    options,
    seatCount,
    groups: [
      {
        role: 'agent',
        seats: Array.from({ length: seatCount }, (_, seat) => seat),
        observationSize: observation.reduce((sum, part) => sum + part.length, 0),
        observation,
        actions: { kind: 'discrete', count: 5 },
      },
    ],
    cooperative: true,
    episodeStepsMax: options.episode_steps,
    hasSuccess: true,
    features: FEATURES,
    parameters,
    scriptedPolicies: SCRIPTED_POLICIES,
    scriptedReference: 'nearest_landmark',
    simulatorSchema: createSimulatorSchema(seatCount) as World['simulatorSchema'],
    startSchema: createStartSchema(seatCount),
    catalogue: createCatalogue(seatCount),
    compile: (simulator: SimulatorData) => compile(parameters, simulator),
    createBatch: (environmentCount) => new SpreadBatch(environmentCount, parameters, options),
  };
}
