import { describe, expect, it } from 'vitest';
import { resolved, specDocument } from '../../test/support/spec-document.ts';
import { createPlanner, finishedRuns, type CrossPlayRequest } from './cross-play-plan.ts';

const REQUEST: CrossPlayRequest = { episodes: 10, seedCount: null, simulator: null };
const hash = (text: string): string => text.repeat(64).slice(0, 64);

/** A finished run of a variant, with the policies of both groups of simple_tag. */
const run = (variant: string, seed = 0, partners: Record<string, string> = {}) => ({
  variant,
  seed,
  policies: { '0': hash(`${variant.length}${seed}`), '1': hash('e') },
  partners,
});

/** Nothing is held out, so that no distances are measured. */
const undivided = { ...specDocument(), panels: { train: ['zero', 'left'], validation: [], test: [] } };

const tagDocument = {
  ...undivided,
  family: 'simple_tag',
  family_options: {},
  learners: [0, 1, 2],
  simulators: Object.fromEntries(
    Object.entries({ zero: 'noop', left: 'random', top: 'zigzag', far: 'orbit_left' }).map(([name, partner]) => [
      name,
      { partners: { '3': { kind: 'scripted', name: partner } } },
    ]),
  ),
};

function playOf(plan: object) {
  if (!('identity' in plan)) throw new Error(`it does not play: ${JSON.stringify(plan)}`);
  return plan as Extract<ReturnType<ReturnType<typeof createPlanner>['plan']>, { identity: unknown }>;
}

describe('a pair', () => {
  it('cannot play when nobody has learnt the role of the partners, and can when a partner was trained along', () => {
    const planner = createPlanner(resolved(tagDocument), REQUEST);
    const alone = planner.plan({ row: run('pool'), column: run('frozen') });
    expect(alone).toEqual({ reason: expect.stringMatching(/^frozen has no policy for the role prey/) as string });
    const accompanied = planner.plan({ row: run('pool'), column: run('frozen', 0, { '1': hash('a') }) });
    expect(playOf(accompanied).identity).toMatchObject({
      learnerArtifacts: { '0': run('pool').policies['0'] },
      partnerArtifacts: { '1': hash('a') },
    });
  });

  it('cannot play when the two see different things', () => {
    const changed = {
      ...undivided,
      variants: {
        ...specDocument().variants,
        blind: { strategy: { kind: 'pool', size: 2 }, family_options: { observe_velocities: true } },
      },
    };
    const planner = createPlanner(resolved(changed), REQUEST);
    const plan = planner.plan({ row: run('pool'), column: run('blind') });
    expect(plan).toEqual({ reason: expect.stringContaining('family_options differ') as string });
    expect(playOf(planner.plan({ row: run('blind'), column: run('blind') }))).toBeDefined();
  });

  it('needs a simulator: a train panel, or a name', () => {
    const panels = { train: [], validation: ['top'], test: ['far'] };
    const { frozen } = specDocument().variants;
    const experiment = resolved({ ...specDocument(), panels, variants: { frozen } });
    expect(() => createPlanner(experiment, REQUEST)).toThrow(/frozen has no train panel/);
    expect(() => createPlanner(experiment, { ...REQUEST, simulator: 'nowhere' })).toThrow(/no simulator "nowhere"/);
    const named = createPlanner(experiment, { ...REQUEST, simulator: 'far' });
    expect(playOf(named.plan({ row: run('frozen'), column: run('frozen') })).simulatorName).toBe('far');
  });

  it('is known by what is played: policies, episodes and simulator, and not by names and seeds', () => {
    const document = specDocument();
    const thick = { ...document.simulators.zero, rules: { damping: 0.4 } };
    const experiment = resolved({ ...document, simulators: { ...document.simulators, top: thick } });
    const hashOf = (row: ReturnType<typeof run>, column: ReturnType<typeof run>, request: object = {}) =>
      playOf(createPlanner(experiment, { ...REQUEST, ...request }).plan({ row, column })).identity.playHash;
    const [first, second] = [run('pool', 0), run('pool', 1)];
    const known = hashOf(first, second);
    expect(hashOf({ ...first, variant: 'frozen', seed: 7 }, second)).toBe(known);
    // "far" differs from "zero" in its partner only, which is replaced.
    expect(hashOf(first, second, { simulator: 'far' })).toBe(known);
    const others = [
      hashOf(second, first),
      hashOf(first, first),
      hashOf(first, second, { episodes: REQUEST.episodes + 1 }),
      hashOf(first, second, { simulator: 'top' }),
    ];
    expect(new Set([known, ...others]).size).toBe(1 + others.length);
  });
});

describe('finished runs', () => {
  it('are put together from their policies and partners, for the seeds that are wanted', () => {
    const row = (seed: number, kind: 'policy' | 'partner', group: string) =>
      ({ variant: 'pool', seed, kind, group, hash: `${kind}${group}` }) as const;
    const rows = [row(0, 'partner', '1'), row(0, 'policy', '0'), row(0, 'policy', '1'), row(1, 'policy', '0')];
    expect(finishedRuns(rows, [0])).toEqual([
      {
        variant: 'pool',
        seed: 0,
        policies: { '0': 'policy0', '1': 'policy1' },
        partners: { '1': 'partner1' },
      },
    ]);
  });
});
