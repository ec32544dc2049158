import type { AssessedPlayer } from '../../activities/assess-panels.ts';
import { referenceEpisodes } from '../../activities/reference-returns.ts';
import { evaluate, type EvaluationSimulator, type Player } from '../../learning/evaluation.ts';
import { behaviourEpisodes } from '../../learning/measures/behaviour-episodes.ts';
import { probeBehaviour } from '../../learning/measures/behaviour.ts';
import { policiesOfModels } from '../../learning/rollout/model-policies.ts';
import type { PolicyLoader, PolicyModel } from '../../learning/rollout/partner-policies.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { World } from '../../simulators/contract.ts';

export interface FilePlayerOptions {
  readonly world: World;
  readonly resolved: ResolvedVariant;
  /** By group of seats. */
  readonly models: ReadonlyMap<number, PolicyModel>;
  /** Fetches policies that hold seats of the simulators. */
  readonly loadPolicy: PolicyLoader;
  /** @param played episodes so far */
  readonly onProgress: (played: number) => void;
}

/** Policies out of files that are played in this process, as a run's process plays its own. */
export function createFilePlayer(options: FilePlayerOptions): AssessedPlayer {
  const { world, resolved, models, loadPolicy, onProgress } = options;
  const { learners, evaluation } = resolved;
  const { seed, policy_mode: mode } = evaluation;
  const learner = policiesOfModels(world, models);
  const references = new Map<string, readonly number[]>();
  let played = 0;
  const play = async (player: Player, simulators: readonly EvaluationSimulator[], episodes: number) => {
    const before = played;
    const onEpisodes = (done: number): void => onProgress((played = before + done));
    return evaluate(player, { world, learners, simulators, episodes, loadPolicy, seed, onProgress: onEpisodes });
  };
  return {
    play: (simulators, episodes) => play({ kind: 'policy', learner, mode }, simulators, episodes),
    async references(members) {
      const missing = new Map(
        members.flatMap((member) => (references.has(member.referenceHash) ? [] : [[member.referenceHash, member]])),
      );
      if (missing.size === 0) return references;
      const chance = await play({ kind: 'random' }, [...missing.values()], referenceEpisodes(evaluation));
      [...missing.keys()].forEach((hash, index) => {
        const returns = chance[index]!.episodes.map((outcome) => outcome.return);
        references.set(hash, returns);
      });
      return references;
    },
    async behave(simulators, gain) {
      const behaviour = await probeBehaviour({
        ...{ world, learner, partner: null, learners, simulators, loadPolicy, seed, gain },
        episodes: behaviourEpisodes(evaluation),
        onProgress: () => undefined,
      });
      onProgress((played += behaviourEpisodes(evaluation)));
      return behaviour;
    },
  };
}
