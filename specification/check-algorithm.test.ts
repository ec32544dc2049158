import { describe, expect, it } from 'vitest';
import type { Algorithm } from '../learning/algorithms/contract.ts';
import { ippo } from '../learning/algorithms/ippo.ts';
import type { World } from '../simulators/contract.ts';
import { FAMILIES } from '../simulators/registry.ts';
import { checkAlgorithm } from './check-algorithm.ts';

const solo: Algorithm = { ...ippo, name: 'solo', learnersMax: 1, actions: ['discrete'] };
const algorithms = { ippo, solo };
const discrete = FAMILIES['simple_tag']!.open(FAMILIES['simple_tag']!.optionsSchema.parse({}));
/** A world in which only the prey acts by the numbers of a box. */
const mixed: World = {
  ...discrete,
  groups: discrete.groups.map((group) =>
    group.role === 'prey' ? { ...group, actions: { kind: 'box', low: [0], high: [1] } } : group,
  ),
};
const check = (name: string, learners: readonly number[], world: World) =>
  checkAlgorithm({ algorithm: { name, parallel_environments: 1, rollout_steps: 1 }, world }, learners, { algorithms });

describe('an algorithm', () => {
  it('is refused for more learners than it trains, naming those that train so many', () => {
    expect(check('solo', [0], discrete)).toEqual([]);
    expect(check('ippo', [0, 1, 2, 3], discrete)).toEqual([]);
    expect(check('solo', [0, 2], discrete)).toEqual([
      {
        path: ['algorithm', 'name'],
        found: '"solo", which trains one learner and not the 2 on seats 0, 2',
        expected: 'an algorithm for 2 learners: ippo',
        remedy: 'Choose one of these, or name at most 1 in `learners` and put partners on the other seats.',
      },
    ]);
  });

  it('is refused where learners act as it cannot learn, and not because of others who do', () => {
    const prey = discrete.groups.findIndex(({ role }) => role === 'prey');
    const seat = discrete.groups[prey]!.seats[0]!;
    expect(check('solo', [0], mixed)).toEqual([]);
    expect(check('ippo', [seat], mixed)).toEqual([]);
    expect(check('solo', [seat], mixed)).toEqual([
      {
        path: ['algorithm', 'name'],
        found: '"solo", which learns discrete actions and not those of prey (box)',
        expected: 'an algorithm for such actions: ippo',
        remedy: 'Choose one of these, or a world with other actions in `family_options`.',
      },
    ]);
  });

  it('that is not known is no matter of this check', () => {
    expect(check('other', [0, 1], mixed)).toEqual([]);
  });
});
