import type { SimulatorData, World } from '../../../simulators/contract.ts';

// Letters: P parameters, S numbers of a state.

/** How the paths of parameters begin that say where episodes start. */
export const START = 'scenarios.start.';

/** Parameters of a simulator that say where its episodes start; empty where a family has none. Shape [S]. */
export function startPaths({ parameters }: Pick<World, 'parameters'>): string[] {
  return parameters.map(({ path }) => path).filter((path) => path.startsWith(START));
}

/**
 * A state as the numbers of a start, in the order of `startPaths`. What is no longer there, as food that was eaten, has
 * the numbers of what a start leaves out.
 * @param state as `Batch.state` tells it, in the simulator
 */
export function numbersOfStart(
  world: Pick<World, 'parameters' | 'compile'>,
  simulator: SimulatorData,
  state: Readonly<Record<string, unknown>>,
): number[] {
  const scenarios = { ...simulator.scenarios, start: state };
  const compiled = world.compile({ ...simulator, scenarios });
  return world.parameters.flatMap(({ path }, index) => (path.startsWith(START) ? [compiled[index]!] : []));
}
