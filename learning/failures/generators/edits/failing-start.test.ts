import { describe, expect, it } from 'vitest';
import type { Parameter } from '../../../../simulators/contract.ts';
import { FAILING_SITUATIONS } from '../../../../test/support/made-up-mined.ts';
import { failingStart } from './failing-start.ts';

const START = 'scenarios.start.';

const parametersOf = (family: keyof typeof FAILING_SITUATIONS) =>
  FAILING_SITUATIONS[family].world.parameters.filter(({ path }) => path.startsWith(START));
const pathsOf = (parameters: readonly Parameter[]) => parameters.map(({ path }) => path);

/** Numbers at the paths that begin so; what the others have says that there is nothing. */
const numbersOf = (
  parameters: readonly Parameter[],
  given: Readonly<Record<string, readonly number[]>>,
  other: number | null,
) =>
  parameters.map(({ path }) => {
    const item = Object.keys(given).find((prefix) => path.startsWith(`${START}${prefix}.`));
    return item === undefined ? other : given[item]![Number(path.split('.').at(-1))]!;
  });

describe('a failing start', () => {
  it('is written as the schema of the world wants it', () => {
    const parameters = parametersOf('spread');
    const given = { 'agents.0': [0.5, -1], 'agents.1': [2, 0], 'landmarks.0': [1, 1], 'landmarks.1': [-0.25, 0] };
    const written = failingStart(pathsOf(parameters), numbersOf(parameters, given, 0), parameters);
    expect(written).toEqual({
      agents: [given['agents.0'], given['agents.1']],
      velocities: [[0, 0], [0, 0]], // prettier-ignore
      landmarks: [given['landmarks.0'], given['landmarks.1']],
    });
    const { world } = FAILING_SITUATIONS.spread;
    expect(world.simulatorSchema.parse({ scenarios: { start: written } }).scenarios['start']).toEqual(written);
  });

  it('is clipped to the range of each number', () => {
    const parameters = parametersOf('spread');
    const far = failingStart(pathsOf(parameters), parameters.map(() => 1e6), parameters); // prettier-ignore
    const [highest] = parameters.filter(({ path }) => path.startsWith(`${START}agents.`)).map(({ high }) => high);
    expect(far!['agents']).toEqual([[highest, highest], [highest, highest]]); // prettier-ignore
  });

  it.each([null, -2, NaN])('leaves out food that is not there, told by %s', (absent) => {
    const parameters = parametersOf('foraging');
    const players = { 'players.0': [0, 3, 1], 'players.1': [7, 7, 2] };
    const paths = pathsOf(parameters);
    const oneLeft = numbersOf(parameters, { ...players, 'food.1': [4, 4, 3] }, absent);
    const listed = Object.values(players);
    expect(failingStart(paths, oneLeft, parameters)).toEqual({ players: listed, food: [[4, 4, 3]] });
    const noneLeft = numbersOf(parameters, players, absent);
    expect(failingStart(paths, noneLeft, parameters)).toEqual({ players: listed, food: [] });
  });

  it('leaves out an item of which only the place is missing', () => {
    const parameters = parametersOf('foraging');
    const given = { 'players.0': [0, 3, 1], 'players.1': [7, 7, 2], 'food.0': [-2, 0, 1], 'food.1': [4, 4, 3] };
    const written = failingStart(pathsOf(parameters), numbersOf(parameters, given, null), parameters);
    expect(written!['food']).toEqual([given['food.1']]);
  });

  it('is null where a family has no starts', () => {
    expect(failingStart([], [], parametersOf('spread'))).toBeNull();
  });
});
