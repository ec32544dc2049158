import { expect, it } from 'vitest';
import { FAILING_SITUATIONS } from '../test/support/made-up-mined.ts';
import { minedSamples } from './run-samples.ts';

const { world, validation } = FAILING_SITUATIONS.spread;

it('mined episodes were played in the simulators as they are written, draws and all', () => {
  const columns = {
    positions: [2, 0, 2],
    drawn: [],
    returns: [-1, NaN, -3],
    successes: [false, true, false],
    shortfalls: [0.5, -Infinity, 2],
  };
  const samples = minedSamples({ simulators: validation, samples: columns }, world);
  expect(samples).toEqual(
    columns.positions.map((position, index) => ({
      parameters: world.compile(validation[position]!.simulator),
      return: columns.returns[index],
      success: columns.successes[index],
      shortfall: columns.shortfalls[index],
    })),
  );
  // Each its own: whoever changes one changes no other.
  expect(samples[0]!.parameters).not.toBe(samples[2]!.parameters);
});
