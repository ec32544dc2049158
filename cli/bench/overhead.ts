import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSessionHandlers } from '../../activities/training-session.ts';
import type { EvaluateRequest, TrainRequest, TrainResponse } from '../../activities/session-messages.ts';
import { createFolderStore } from '../../infra/artifacts/folder-store.ts';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../../infra/onnx/model.ts';
import { ONE_LEARNER, PLAIN_EPISODES } from '../../learning/strategies/contract.ts';
import { leaderOf } from '../../learning/strategies/leader.ts';
import { loadPolicy } from '../../infra/onnx/policy-model.ts';
import { listRuns } from '../../infra/postgres/run-rows.ts';
import { isFinalState } from '../../schemas/records.ts';
import { variantHash } from '../../specification/identity.ts';
import { isEvaluated } from '../../specification/plan.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import type { ServiceSession } from '../service-session.ts';
import type { ValidSpec } from '../spec-files.ts';
import { submitSpecs } from '../submission.ts';
import { noteOnTerminal } from '../terminal.ts';
import { inPrivateHome } from './private-home.ts';
import { machine, spreadOf, type BenchReport } from './report.ts';
import { benchSpec, firstVariant } from './spec.ts';

const REPETITIONS = 3;
const ROUNDS = 20;
/** About 5 s a round on the machine this was written on. */
const ENV_STEPS_OF_ROUND = 230_400;

/** What the orchestration costs: a run under Temporal and Postgres over the same rounds in one process. */
export async function benchOverhead(): Promise<BenchReport> {
  const spec = await benchSpec('learning', [
    `budget.rounds=${ROUNDS}`,
    `budget.env_steps=${ROUNDS * ENV_STEPS_OF_ROUND}`,
    'seeds=[0]',
  ]);
  return inPrivateHome(async (session) => {
    const bare: number[] = [];
    const orchestrated: number[] = [];
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      bare.push(await bareSeconds(session, spec));
      noteOnTerminal(`bare: ${bare.at(-1)!.toFixed(2)} s`);
      // Another seed each time: an equal run would be skipped.
      const seeded = { ...spec, experiment: { ...spec.experiment, seeds: [repetition] } };
      orchestrated.push(await orchestratedSeconds(session, seeded));
      noteOnTerminal(`orchestrated: ${orchestrated.at(-1)!.toFixed(2)} s`);
    }
    return {
      name: 'overhead',
      ours: { 'orchestrated s': spreadOf(orchestrated), 'bare s': spreadOf(bare), rounds: ROUNDS },
      peers: [],
      ratios: { 'orchestrated over bare': spreadOf(orchestrated.map((seconds, index) => seconds / bare[index]!)) },
      n: REPETITIONS,
      machine: machine(),
    };
  });
}

/** Training, evaluations and checkpoints of a run, straight through. */
async function bareSeconds({ configuration }: ServiceSession, spec: ValidSpec): Promise<number> {
  const resolved = firstVariant(spec);
  const handlers = createSessionHandlers({
    executor: createOnnxExecutor(),
    artifacts: createFolderStore(path.join(configuration.home, 'bare')),
    registries: DEFAULT_REGISTRIES,
    loadModel: loadPolicy,
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  });
  const silent = async (): Promise<void> => undefined;
  const simulator = resolved.simulators[String(resolved.strategy['simulator'])]!;
  const held = [...resolved.panels.validation, ...resolved.panels.test].map((each) => resolved.simulators[each]!);
  const state = {
    variantHash: variantHash(resolved),
    resolved,
    seed: spec.experiment.seeds[0]!,
    members: ONE_LEARNER,
  };
  const simulators = [simulator, ...held].map((each) => ({ simulator: each, randomization: {} }));
  let checkpointHash: string | null = null;
  const play = (player: 'policy' | 'random', episodes: number): Promise<unknown> => {
    const request: EvaluateRequest = {
      ...state,
      checkpointHash,
      player,
      member: leaderOf(ONE_LEARNER),
      simulators,
      episodes,
      mode: 'deterministic',
    };
    return handlers['evaluate']!(request, silent);
  };
  const startedAt = performance.now();
  await play('random', resolved.evaluation.final_episodes);
  for (let roundIndex = 0; roundIndex < ROUNDS; roundIndex += 1) {
    if (isEvaluated(resolved, roundIndex)) await play('policy', resolved.evaluation.episodes);
    const request: TrainRequest = {
      ...state,
      checkpointHash,
      roundIndex,
      pool: [{ simulator, weight: 1, randomization: {}, learns: true }],
      episodeRule: PLAIN_EPISODES,
      startsMembers: roundIndex === 0,
      scoresEpisodes: false,
      keepsSamples: false,
      samplerCount: 1,
    };
    const { checkpoint } = (await handlers['train']!(request, silent)) as TrainResponse;
    checkpointHash = checkpoint.hash;
  }
  await play('policy', resolved.evaluation.episodes);
  await play('policy', resolved.evaluation.final_episodes);
  await play('policy', resolved.evaluation.final_episodes);
  await handlers['export']!({ ...state, checkpointHash }, silent);
  return (performance.now() - startedAt) / 1000;
}

/** From the submission to the last row. */
async function orchestratedSeconds(session: ServiceSession, spec: ValidSpec): Promise<number> {
  const startedAt = performance.now();
  const [submission] = await submitSpecs(session, [spec]);
  const { id } = submission!.experiment;
  for (;;) {
    const runs = await listRuns(session.database, id);
    if (runs.every((run) => isFinalState(run.state))) return (performance.now() - startedAt) / 1000;
    await sleep(100);
  }
}
