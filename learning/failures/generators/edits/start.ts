import type { Parameter, SimulatorData } from '../../../../simulators/contract.ts';
import type { RandomStream } from '../../../../simulators/random.ts';
import { numberAt, setNumberAt } from '../../../strategies/draw-simulator.ts';
import type { GeneratorContext } from '../contract.ts';
import { clipParameter } from './clip-parameter.ts';
import type { Edit } from './contract.ts';

/** How the parameters are called that say how far from `scenarios.start` an episode may start. */
const SPREAD = /^scenarios\.\w+_(half_width|spread)$/;

export const start: Edit = {
  summary: 'Episodes start near the start of the failing one.',
  apply({ simulator, start: failing, name }, context, random) {
    if (failing === null) return null;
    return {
      simulator: startNear(simulator, failing, context, random),
      origin: `starts near the failing start of ${name}`,
    };
  },
};

/**
 * A copy of a simulator whose episodes start about a given start. Each spread about the start becomes at most a share of
 * its range, drawn between half of `scale` and `scale`, in whole numbers at least 1; one that is smaller already stays as
 * it is, so that what always started alike, as agents at rest do, still does. Only where the simulator gives no start and
 * all its spreads are 0, so that none of them says how far starts are apart, each becomes such a share.
 * @param given as `scenarios.start` is written
 */
export function startNear(
  before: SimulatorData,
  given: Readonly<Record<string, unknown>>,
  { parameters, scale }: Pick<GeneratorContext, 'parameters' | 'scale'>,
  random: RandomStream,
): SimulatorData {
  const share = scale * (0.5 + 0.5 * random.nextUniform());
  const spreads = parameters.flatMap((parameter) => {
    const spread = SPREAD.test(parameter.path) ? numberAt(before, parameter.path) : undefined;
    return spread === undefined ? [] : [{ parameter, spread }];
  });
  const isSilent = before.scenarios['start'] === undefined && spreads.every(({ spread }) => spread === 0);
  const copy = structuredClone(before);
  const simulator: SimulatorData = { ...copy, scenarios: { ...copy.scenarios, start: structuredClone(given) } };
  for (const { parameter, spread } of spreads) {
    const small = smallSpread(parameter, share);
    setNumberAt(simulator, parameter.path, isSilent ? small : Math.min(spread, small));
  }
  return simulator;
}

function smallSpread(parameter: Parameter, share: number): number {
  const spread = share * (parameter.high - parameter.low);
  return clipParameter(parameter, parameter.low + (parameter.kind === 'real' ? spread : Math.max(1, spread)));
}
