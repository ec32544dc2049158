import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parsePanel } from './parse-panel.ts';
import { DEFAULT_REGISTRIES } from './registries.ts';
import { resolveExperiment } from './resolve.ts';

const panels = { train: ['base', 'heavy'], test: ['slippery'] };
const panel = { family: 'simple_spread', panels, evaluation: { seed: 7 }, verdict: { collapsed: 0.3 } };

function resolved(document: object) {
  const parsed = parsePanel(JSON.stringify(document), 'held-out');
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return resolveExperiment(parsed.document, { fileName: 'held-out', registries: DEFAULT_REGISTRIES });
}

const problemsOf = (document: unknown) => {
  const parsed = parsePanel(JSON.stringify(document), 'held-out');
  return parsed.ok ? [] : parsed.problems;
};

describe('a file of panels', () => {
  it('is resolved as an experiment with these panels is', () => {
    expect(resolved(panel)).toMatchObject({
      ok: true,
      experiment: {
        name: 'held-out',
        variants: {
          evaluated: {
            family: 'simple_spread',
            learners: [0, 1, 2],
            panels: { ...panels, validation: [] },
            evaluation: { seed: 7, final_episodes: 320, policy_mode: 'deterministic' },
            verdict: { watch: 0.1, collapsed: 0.3 },
          },
        },
      },
    });
  });

  it.each([
    ['it says itself', { ...panel, name: 'mine' }, 'mine'],
    ['its file says', panel, 'held-out'],
  ])('has the name that %s', (_title, document, name) => {
    expect(resolved(document)).toMatchObject({ experiment: { name } });
  });

  it('may have no more than its schema says: what is left is that of training', () => {
    for (const key of ['algorithm', 'budget', 'strategy', 'seeds', 'execution']) {
      expect(problemsOf({ ...panel, [key]: {} })).toMatchObject([{ path: key }]);
    }
  });

  it('names a simulator that was trained in', () => {
    for (const document of [{ ...panel, panels: { test: ['base'] } }, { family: 'simple_spread' }]) {
      expect(problemsOf(document)).toMatchObject([
        { path: 'panels.train', expected: expect.stringContaining('trained') },
      ]);
    }
  });

  it('is none when it is no object', () => {
    for (const document of [null, [], 7]) expect(problemsOf(document).length).toBeGreaterThan(0);
  });
});

it('an experiment is taken as it is, in every form', () => {
  for (const file of ['demo.json', 'forms/batch-form.json', 'forms/pool-form.json']) {
    const text = readFileSync(`experiments/${file}`, 'utf8');
    expect(parsePanel(text, 'x')).toEqual({ ok: true, document: JSON.parse(text) as unknown });
  }
});
