import { assessPanels, type Assessment } from '../../activities/assess-panels.ts';
import { assessSensitivity } from '../../activities/assess-sensitivity.ts';
import { referenceEpisodes } from '../../activities/reference-returns.ts';
import { panelMembers, type PanelMember, type TrainedPool } from '../../activities/panels.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { StateNames } from '../../infra/onnx/policy-ports.ts';
import { behaviourEpisodes } from '../../learning/measures/behaviour-episodes.ts';
import type { SensitivityRow } from '../../learning/measures/sensitivity.ts';
import { drivenSeatsOf } from '../../learning/rollout/driven-seats.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { PolicyFiles } from '../policies/policy-files.ts';
import { createPolicyLender, type PolicyLender } from '../policies/policy-lender.ts';
import { createFilePlayer } from './file-player.ts';
import type { ReadPanel } from './read-panel.ts';
import { type PolicyArgument, releaseAll, type SeatedPolicy, seatPolicies } from './seat-policies.ts';

/** Policies and how they did. */
export interface Evaluated {
  readonly panel: ReadPanel;
  /** By group of seats. */
  readonly policies: ReadonlyMap<number, SeatedPolicy>;
  readonly members: readonly PanelMember[];
  readonly assessment: Assessment;
  readonly sensitivities: readonly SensitivityRow[];
}

export interface EvaluationSetting {
  readonly states: StateNames;
  /** @param count of episodes that are known to be played; each changed simulator adds its own */
  readonly onProgress: (played: number, count: number) => void;
}

/** Judges policies by panels as the last checkpoint of a run is judged, in this process and without any service. */
export async function evaluatePolicies(
  panel: ReadPanel,
  files: readonly PolicyArgument[],
  { states, onProgress }: EvaluationSetting,
): Promise<Evaluated> {
  const { world, resolved } = panel;
  const pool = trainedPool(resolved);
  const members = panelMembers(world, resolved, pool);
  const driven = drivenSeatsOf(
    world,
    members.map(({ simulator }) => simulator),
  );
  const groups = [...driven.keys()].filter((group) => driven[group]!.length > 0);
  const policies = await seatPolicies(files, { world, groups, states });
  const partners = partnerLender(panel.partners);
  try {
    const episodes = resolved.evaluation.final_episodes;
    const count =
      members.length * (episodes + referenceEpisodes(resolved.evaluation)) + behaviourEpisodes(resolved.evaluation);
    const player = createFilePlayer({
      world,
      resolved,
      models: new Map([...policies].map(([group, { model }]) => [group, model])),
      loadPolicy: partners.load,
      onProgress: (played) => onProgress(played, Math.max(played, count)),
    });
    const assessment = await assessPanels(player, { world, resolved }, { panels: members, episodes });
    const train = members.filter((member) => member.panel === 'train');
    const asked = { train, poolSize: pool.entries.length };
    const { rows } = await assessSensitivity(player, { world, resolved }, asked);
    return { panel, policies, members, assessment, sensitivities: rows };
  } finally {
    await releaseAll(policies.values());
    await partners.release();
  }
}

/** The train panel as the strategy `pool` has it: alike, and as it is written. */
function trainedPool({ panels, simulators }: ResolvedVariant): TrainedPool {
  const weight = 1 / panels.train.length;
  const entries = panels.train.map((name) => ({
    name,
    simulator: simulators[name]!,
    weight,
    randomization: {},
    learns: true,
  }));
  return { entries };
}

/** Policies that hold seats of the simulators: those that the file brings, else those that are stored here. */
function partnerLender(files: PolicyFiles): PolicyLender {
  return createPolicyLender(
    async (artifact) =>
      files.get(artifact) ?? createFolderStore(readConfiguration(process.env).artifacts).read(artifact),
  );
}
