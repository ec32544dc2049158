import { envStepsOf, panelMembers, type PanelMember } from '../../activities/panels.ts';
import type { EvaluateResponse, SessionState, TrainResponse } from '../../activities/session-messages.ts';
import { trainedRound } from '../../activities/trained-round.ts';
import { trainRequest } from '../../activities/train-request.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import type { RequestHandler } from '../../infra/children/child-host.ts';
import type { RunPool } from '../../infra/postgres/pool-rows.ts';
import { partnerChanges, ruleChanges } from '../../learning/measures/sensitivity-changes.ts';
import { sensitivityEpisodes } from '../../learning/measures/sensitivity-episodes.ts';
import { mean } from '../../learning/statistics/moments.ts';
import { ONE_LEARNER } from '../../learning/strategies/contract.ts';
import { leaderOf } from '../../learning/strategies/leader.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import type { World } from '../../simulators/contract.ts';
import { variantHash } from '../../specification/identity.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { stepsFrom } from '../../workflows/round-schedule.ts';
import { sessionHandlers } from '../worker/session-handlers.ts';
import { decidedPool } from './decided-pool.ts';

/** As in `activities/reference-returns.ts`. */
const REFERENCE_EPISODES = 320;
const silent = async (): Promise<void> => undefined;

/**
 * A run of a frozen variant straight through in this very process: the same training, evaluations, measures, checkpoints
 * and exported policy as `runVariant` and its activities ask for, and nothing around them.
 */
export class BareRun {
  /** Env steps of training and of evaluations: equal to the costs of the same run under Temporal. */
  envSteps = 0;
  private readonly resolved: ResolvedVariant;
  private readonly world: World;
  private readonly handlers: Readonly<Record<string, RequestHandler>>;
  private readonly pool: RunPool;
  private readonly panels: readonly PanelMember[];
  private readonly seed: number;
  private checkpointHash: string | null = null;

  constructor(resolved: ResolvedVariant, { seed, artifacts }: { seed: number; artifacts: string }) {
    this.resolved = resolved;
    this.seed = seed;
    this.world = openWorld(resolved, DEFAULT_REGISTRIES);
    this.handlers = sessionHandlers(createFolderStore(artifacts));
    this.pool = decidedPool(resolved, this.world, seed);
    this.panels = panelMembers(this.world, resolved, this.pool);
  }

  /** @param isFirst whether nobody has played the random policy on these simulators before */
  async run(isFirst: boolean): Promise<void> {
    const { budget, evaluation } = this.resolved;
    const best = { round: budget.rounds, validation: -Infinity, checkpointHash: null as string | null };
    if (isFirst) await this.play('random', REFERENCE_EPISODES);
    const schedule = { roundCount: budget.rounds, evaluateEveryRounds: evaluation.every_rounds, adaptRounds: [] };
    for (const { kind, round } of stepsFrom(schedule, 0)) {
      if (kind === 'train_round') await this.train(round);
      if (kind !== 'evaluate_panels') continue;
      const validation = await this.evaluate(evaluation.episodes);
      if (validation > best.validation) Object.assign(best, { round, validation, checkpointHash: this.checkpointHash });
    }
    const last = this.checkpointHash;
    await this.evaluate(evaluation.final_episodes);
    this.checkpointHash = best.checkpointHash;
    if (best.round !== budget.rounds) await this.evaluate(evaluation.final_episodes);
    this.checkpointHash = last;
    await this.measureSensitivity();
    await this.ask('export', this.state());
  }

  private async train(round: number): Promise<void> {
    const { resolved, seed, pool, checkpointHash } = this;
    const request = trainRequest(
      { variantHash: variantHash(resolved), resolved, seed },
      {
        round,
        pool,
        checkpointHash,
        strategy: DEFAULT_REGISTRIES.strategies[resolved.strategy.kind]!,
        settings: { samplerProcesses: 1 },
      },
    );
    const { checkpoint, envSteps } = trainedRound(await this.ask<TrainResponse>('train', request));
    this.checkpointHash = checkpoint.hash;
    this.envSteps += envSteps;
  }

  /** @returns the mean return on the validation panel */
  private async evaluate(episodes: number): Promise<number> {
    const played = await this.play('policy', episodes);
    const train = this.panels.filter(({ panel }) => panel === 'train');
    const behaviour = { ...this.state(), member: leaderOf(ONE_LEARNER), simulators: train, gain: 1 };
    const { envSteps } = await this.ask<{ envSteps: number }>('behave', behaviour);
    this.envSteps += envSteps + envStepsOf(played);
    const validation = played.filter((_, index) => this.panels[index]!.panel === 'validation');
    return mean(validation.map((simulator) => mean(simulator.episodes.map((episode) => episode.return))));
  }

  private async measureSensitivity(): Promise<void> {
    const { resolved, world, pool } = this;
    const entries = pool.entries.map(({ simulator, weight, randomization }) => ({ simulator, weight, randomization }));
    const changes = [...ruleChanges(world, entries), ...partnerChanges(world, entries, resolved.learners).changes];
    const simulators = [...entries, ...changes.flatMap((change) => change.simulators)];
    const episodes = sensitivityEpisodes(resolved.evaluation.episodes, entries.length);
    this.envSteps += envStepsOf(await this.play('policy', episodes, simulators));
  }

  private play(
    player: 'policy' | 'random',
    episodes: number,
    simulators: readonly Pick<PanelMember, 'simulator' | 'randomization'>[] = this.panels,
  ): Promise<EvaluateResponse> {
    const mode = player === 'random' ? 'sampled' : this.resolved.evaluation.policy_mode;
    return this.ask('evaluate', {
      ...this.state(),
      player,
      member: leaderOf(ONE_LEARNER),
      simulators: simulators.map(({ simulator, randomization }) => ({ simulator, randomization })),
      episodes,
      mode,
    });
  }

  private state(): SessionState {
    const { resolved, seed, checkpointHash } = this;
    return { variantHash: variantHash(resolved), resolved, seed, members: ONE_LEARNER, checkpointHash };
  }

  private async ask<Response>(kind: string, request: unknown): Promise<Response> {
    return (await this.handlers[kind]!(request, silent)) as Response;
  }
}
