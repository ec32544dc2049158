import type { SimulatorData } from '../../simulators/contract.ts';
import type { RandomStream } from '../../simulators/random.ts';
import type { Candidate, Evidence } from './contract.ts';
import { drawSimulator } from './draw-simulator.ts';

/** How often a draw that is known already is drawn again. */
const DRAWS_MAX = 100;

export interface CandidateDraws {
  readonly count: number;
  /** Draws of this run before these; it goes on with the members and the names of draws. */
  readonly drawn: number;
  /** Simulators, besides the train panel, that a draw shall not repeat. */
  readonly known: readonly SimulatorData[];
}

/**
 * Draws of `randomization` on the members of the train panel, each member in turn. A copy of a known simulator would only
 * change weights, so it is drawn again; ranges of few whole numbers may have nothing else to give.
 * @param evidence one with a train panel
 */
export function drawCandidates(
  { trainPanel, randomization, parameters }: Evidence,
  { count, drawn, known }: CandidateDraws,
  random: RandomStream,
): Candidate[] {
  const seen = new Set([...trainPanel.map(({ simulator }) => simulator), ...known].map(contentOf));
  return Array.from({ length: count }, (_, index) => {
    const parent = trainPanel[(drawn + index) % trainPanel.length]!;
    let simulator = parent.simulator;
    for (let draw = 0; draw < DRAWS_MAX && seen.has(contentOf(simulator)); draw += 1) {
      simulator = drawSimulator(parent.simulator, randomization, parameters, random);
    }
    seen.add(contentOf(simulator));
    return {
      name: `${parent.name}~${drawn + index + 1}`,
      simulator,
      parents: [parent.name],
      origin: `drawn from \`randomization\` around ${parent.name}`,
    };
  });
}

/** Equal for simulators with equal keys in equal order, as those made from one schema have. */
export function contentOf(simulator: SimulatorData): string {
  return JSON.stringify(simulator);
}
