import { recordFrom } from '../../learning/results/column.ts';
import { programVersion } from '../program-version.ts';
import { SENSITIVITY_COLUMNS, SIMULATOR_COLUMNS, simulatorResults } from './evaluation-columns.ts';
import { measuredScores } from './evaluation-scores.ts';
import type { Evaluated } from './evaluate-policies.ts';
import type { SeatedPolicy } from './seat-policies.ts';

/** All that was found, for other programs. */
export function evaluationDocument(evaluated: Evaluated): Record<string, unknown> {
  const { panel, policies, sensitivities } = evaluated;
  const { resolved, world } = panel;
  const scores = measuredScores(evaluated);
  return {
    panel: {
      name: panel.name,
      family: world.family,
      family_version: world.version,
      family_options: world.options,
      learners: resolved.learners,
      evaluation_seed: resolved.evaluation.seed,
      episodes: resolved.evaluation.final_episodes,
      policy_mode: resolved.evaluation.policy_mode,
      limits: resolved.verdict,
    },
    program_version: programVersion(),
    policies: [...policies].map(([group, policy]) => policyRecord(policy, world.groups[group]!.role)),
    scores: Object.fromEntries(scores.map(({ key, value }) => [key, value])),
    ci95: Object.fromEntries(scores.flatMap(({ key, interval }) => (interval === null ? [] : [[key, interval]]))),
    simulators: simulatorResults(evaluated).map((result) => recordFrom(SIMULATOR_COLUMNS, result)),
    sensitivity: sensitivities.map((row) => recordFrom(SENSITIVITY_COLUMNS, row)),
  };
}

function policyRecord({ file, sha256, model, description }: SeatedPolicy, role: string): Record<string, unknown> {
  return {
    role,
    group: description.group,
    file,
    sha256,
    takes_and_gives: model.described ?? null,
    identity_size: description.identitySize,
    memory_size: model.memorySize,
    is_masked: model.isMasked,
    gives: model.isCertain === true ? 'action' : 'distribution',
    metadata: Object.fromEntries([...model.metadata].filter(([key]) => key !== 'layout')),
  };
}
