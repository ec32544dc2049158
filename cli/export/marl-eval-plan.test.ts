import { describe, expect, it } from 'vitest';
import { type EvaluatedRun, marlEvalNames, planMarlEval } from './marl-eval-plan.ts';

const STEPS = [0, 100, 200];

function run(variant: string, seed: number, change: Partial<EvaluatedRun> = {}): EvaluatedRun {
  const steps = new Map(STEPS.map((step, round) => [round, step]));
  return { experiment: 'demo', variant, seed, state: 'SUCCEEDED', isTested: true, steps, ...change };
}

const cells = ['frozen', 'pool'].flatMap((variant) => [0, 1].map((seed) => run(variant, seed)));

describe('what marl-eval gets', () => {
  it('is everything where every run is whole and has the same steps', () => {
    expect(planMarlEval(cells)).toEqual({ variants: ['frozen', 'pool'], seeds: [0, 1], steps: STEPS, notes: [] });
    expect(planMarlEval([...cells].map((each) => ({ ...each, state: 'SKIPPED' as const }))).seeds).toEqual([0, 1]);
  });

  it('leaves out runs that are not whole, and with them their seed for all variants, and says so', () => {
    const { variants, seeds, notes } = planMarlEval(
      cells.map((each) => (each.variant === 'pool' && each.seed === 1 ? { ...each, state: 'FAILED' as const } : each)),
    );
    expect({ variants, seeds }).toEqual({ variants: ['frozen', 'pool'], seeds: [0] });
    expect(notes.join('\n')).toMatch(/demo\/pool\/1 did not succeed[^]*seed 1 left out/);
  });

  it('leaves out a variant without a whole run, rather than every seed', () => {
    const { variants, seeds, notes } = planMarlEval(
      cells.map((each) => (each.variant === 'pool' ? { ...each, state: 'QUEUED' as const } : each)),
    );
    expect({ variants, seeds }).toEqual({ variants: ['frozen'], seeds: [0, 1] });
    expect(notes.join('\n')).toContain('pool is left out');
  });

  it('leaves out specialists, which have no test panel, and leaves the others as they are', () => {
    const specialist = [0, 1].map((seed) => run('specialist.far', seed, { isTested: false, state: 'FAILED' }));
    const { variants, seeds, notes } = planMarlEval([...cells, ...specialist]);
    expect({ variants, seeds }).toEqual({ variants: ['frozen', 'pool'], seeds: [0, 1] });
    expect(notes).toEqual(['marl-eval: specialist.far is left out: nothing is held out, so there is no task.']);
    // Where nothing at all is held out, the export says that of the experiment.
    expect(planMarlEval(cells.map((each) => ({ ...each, isTested: false }))).variants).toEqual(['frozen', 'pool']);
  });

  it('keeps of several experiments the variants and seeds that all of them have', () => {
    const other = [run('pool', 1, { experiment: 'other' }), run('pool', 2, { experiment: 'other' })];
    expect(planMarlEval([...cells, ...other])).toMatchObject({ variants: ['pool'], seeds: [1] });
  });

  it('keeps the steps that all runs have, and names a run that lacks some', () => {
    const coarse = run('pool', 1, {
      steps: new Map([
        [0, 0],
        [1, 200],
      ]),
    });
    const { steps, notes } = planMarlEval([...cells.slice(0, 3), coarse]);
    expect(steps).toEqual([0, 200]);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/2 of 3 .*demo\/pool\/1, for one, lacks 100 env steps/);
  });

  it('has names without upper case and commas, each of them once', () => {
    const notes: string[] = [];
    const names = marlEvalNames(['far', 'Far', 'a,b'], notes);
    expect([...names]).toEqual([
      ['far', 'far'],
      ['Far', 'far_2'],
      ['a,b', 'a;b'],
    ]);
    expect(notes).toHaveLength(2);
  });
});
