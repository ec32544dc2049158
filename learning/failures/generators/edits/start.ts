import type { Parameter, SimulatorData } from '../../../../simulators/contract.ts';
import { numberAt, setNumberAt } from '../../../strategies/draw-simulator.ts';
import { clipParameter } from './clip-parameter.ts';
import type { Edit } from './contract.ts';

/** How the parameters are called that say how far from `scenarios.start` an episode may start. */
const SPREAD = /^scenarios\.\w+_(half_width|spread)$/;

/**
 * Episodes start about where the failing one did. Each spread about the start becomes a share of its range, drawn
 * between half of `scale` and `scale`, in whole numbers at least 1; one that is smaller already, about a start that the
 * parent gives, stays as it is. So where a parent knows a single start, nothing changes.
 */
export const start: Edit = {
  summary: 'Episodes start near the start of the failing one.',
  apply(parent, { parameters, scale }, random) {
    if (parent.start === null) return null;
    const share = scale * (0.5 + 0.5 * random.nextUniform());
    const isGiven = parent.simulator.scenarios['start'] !== undefined;
    const simulator: SimulatorData = {
      ...structuredClone(parent.simulator),
      scenarios: { ...structuredClone(parent.simulator.scenarios), start: structuredClone(parent.start) },
    };
    for (const parameter of parameters.filter(({ path }) => SPREAD.test(path))) {
      const before = numberAt(simulator, parameter.path);
      if (before === undefined) continue;
      const small = smallSpread(parameter, share);
      setNumberAt(simulator, parameter.path, isGiven ? Math.min(before, small) : small);
    }
    return { simulator, origin: `starts near the failing start of ${parent.name}` };
  },
};

function smallSpread(parameter: Parameter, share: number): number {
  const spread = share * (parameter.high - parameter.low);
  return clipParameter(parameter, parameter.low + (parameter.kind === 'real' ? spread : Math.max(1, spread)));
}
