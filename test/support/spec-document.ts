import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { resolveExperiment, type Resolution } from '../../specification/resolve.ts';
import type { Problem } from '../../schemas/problem.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';

const scripted = (name: string, more: object = {}) => ({ partners: { '1': { kind: 'scripted', name, ...more } } });

/** A small valid spec as plain JSON; every call gives a copy of its own. */
export function specDocument() {
  return {
    name: 'example',
    family: 'simple_spread',
    family_options: { agents: 2 },
    learners: [0],
    simulators: {
      zero: scripted('fixed_landmark', { landmark: 0, epsilon: 0.1 }),
      left: scripted('leftmost_landmark'),
      top: scripted('topmost_landmark'),
      far: scripted('farthest_landmark'),
    },
    panels: { train: ['zero', 'left'], validation: ['top'], test: ['far'] },
    randomization: { 'rules.damping': [0.1, 0.5] },
    algorithm: { name: 'ippo', hidden_sizes: [32, 32] },
    variants: {
      frozen: { strategy: { kind: 'frozen', simulator: 'zero' } },
      pool: { strategy: { kind: 'pool', size: 2 } },
    } as Record<string, Record<string, unknown>>,
    seeds: [0, 1] as unknown,
    budget: { env_steps: 100_000, rounds: 5 },
    evaluation: { every_rounds: 2, episodes: 10 },
    execution: { device: 'cpu' },
  };
}

export function resolveDocument(
  document: unknown,
  overrides: readonly string[] = [],
  fileName = 'example.json',
): Resolution {
  return resolveExperiment(document, { fileName, overrides, registries: DEFAULT_REGISTRIES });
}

/** The resolved experiment of a document that must be valid. */
export function resolved(document: unknown, overrides: readonly string[] = []): ResolvedExperiment {
  const resolution = resolveDocument(document, overrides);
  if (!resolution.ok) throw new Error(`not valid: ${JSON.stringify(resolution.problems, null, 2)}`);
  return resolution.experiment;
}

/** The problems of a document that must not be valid. */
export function problemsOf(document: unknown, overrides: readonly string[] = []): readonly Problem[] {
  const resolution = resolveDocument(document, overrides);
  if (resolution.ok) throw new Error('the document is valid');
  return resolution.problems;
}
