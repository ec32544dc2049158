import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFolderStore } from '../infra/artifacts/folder-store.ts';
import { createOnnxExecutor } from '../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../infra/onnx/model.ts';
import { loadPolicy } from '../infra/onnx/policy-model.ts';
import { checkpointFromBytes } from '../learning/checkpoint.ts';
import { checkpointOf, membersFromBytes } from '../learning/member-checkpoint.ts';
import type { TrainingSimulator } from '../learning/rollout/played-round.ts';
import { type Member, ONE_LEARNER, PLAIN_EPISODES } from '../learning/strategies/contract.ts';
import { DEFAULT_REGISTRIES } from '../specification/registries.ts';
import { resolved as resolve, specDocument } from '../test/support/spec-document.ts';
import type {
  EvaluateRequest,
  EvaluateResponse,
  ExportResponse,
  SessionState,
  TrainRequest,
  TrainedRound,
} from './session-messages.ts';
import { createSessionHandlers } from './training-session.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-members-'));
afterAll(() => rmSync(folder, { recursive: true }));
const artifacts = createFolderStore(folder);
const algorithm = { name: 'ippo', hidden_sizes: [8], parallel_environments: 4 };
const budget = { env_steps: 4 * 25 * 12, rounds: 3 };

/** Every round in one process that stays, or each in one of its own. */
function openSession() {
  const handlers = createSessionHandlers({
    clock: () => 0,
    executorOn: async () => createOnnxExecutor(),
    artifacts,
    registries: DEFAULT_REGISTRIES,
    loadModel: loadPolicy,
    workFolders: '/nowhere',
    exportModel: (graph, metadata) => onnxModelFromGraph(graph, { dynamicRows: true, metadata }),
  });
  const silent = async () => undefined;
  return {
    train: (request: TrainRequest) => handlers['train']!(request, silent) as Promise<TrainedRound>,
    evaluate: (request: EvaluateRequest) => handlers['evaluate']!(request, silent) as Promise<EvaluateResponse>,
    export: (state: SessionState) => handlers['export']!(state, silent) as Promise<ExportResponse>,
  };
}

type Session = ReturnType<typeof openSession>;

interface Story {
  readonly initial: SessionState;
  readonly pool: readonly TrainingSimulator[];
  /** The members of each round, and whether they were decided anew. */
  readonly rounds: readonly { readonly members: readonly Member[]; readonly startsMembers: boolean }[];
}

async function tell({ initial, pool, rounds }: Story, sessionOf: () => Session): Promise<TrainedRound[]> {
  const responses: TrainedRound[] = [];
  for (const [roundIndex, round] of rounds.entries()) {
    const checkpointHash = responses.at(-1)?.checkpoint.hash ?? null;
    const rule = { episodeRule: PLAIN_EPISODES, scoresEpisodes: true, keepsSamples: false, samplerCount: 1 };
    responses.push(await sessionOf().train({ ...initial, checkpointHash, roundIndex, pool, ...round, ...rule }));
  }
  return responses;
}

/** What each member saved in a round. */
const savedIn = async ({ checkpoint }: TrainedRound) => membersFromBytes(await artifacts.read(checkpoint.hash));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const weightsIn = (bytes: Uint8Array) =>
  textOf(new Uint8Array(checkpointFromBytes(bytes).arrays['0.parameters']!.buffer));

function stateOf(document: object, variant: string): SessionState {
  const experiment = resolve(document);
  const resolved = experiment.variants[variant]!;
  return {
    variantHash: experiment.variant_hashes[variant]!,
    resolved,
    seed: 0,
    members: ONE_LEARNER,
    checkpointHash: null,
  };
}

function learner(name: string, changes: Partial<Member> = {}): Member {
  return { name, seats: 'learners', share: 0.5, reward: 'own', hyperparameters: {}, copies: name, ...changes };
}

/** A population of two, of which the second goes on from the first after two rounds. */
function population(): Story {
  const initial = stateOf({ ...specDocument(), algorithm, budget }, 'pool');
  const second = learner('m1', { hyperparameters: { learning_rate: 0.01 } });
  const copying = learner('m1', { hyperparameters: { learning_rate: 0.0001 }, copies: 'm0' });
  const pool = initial.resolved.panels.train.map((name) => ({
    name,
    simulator: initial.resolved.simulators[name]!,
    weight: 0.5,
    randomization: {},
    learns: true,
  }));
  return {
    initial,
    pool,
    rounds: [
      { members: [learner('m0'), second], startsMembers: true },
      { members: [learner('m0'), second], startsMembers: false },
      { members: [learner('m0'), copying], startsMembers: true },
    ],
  };
}

/** A learner and a partner that is trained to hinder it. */
function coTraining(document: object, seat: number): Story {
  const initial = stateOf({ ...document, algorithm, budget }, 'pool');
  const simulator = initial.resolved.simulators['zero']!;
  const partners = { ...simulator.partners, [seat]: { kind: 'trained' as const } };
  const partner: Member = { ...learner('partner'), seats: 'partners', share: 1, reward: 'adversarial' };
  const members = [...ONE_LEARNER, partner];
  return {
    initial: { ...initial, members },
    pool: [{ name: 'zero', simulator: { ...simulator, partners }, weight: 1, randomization: {}, learns: true }],
    rounds: [0, 1, 2].map((round) => ({ members, startsMembers: round === 0 })),
  };
}

const tagDocument = {
  name: 'tag',
  family: 'simple_tag',
  learners: [0, 1, 2],
  simulators: { zero: { partners: { 3: { kind: 'scripted', name: 'flee_nearest' } } } },
  panels: { train: ['zero'], validation: [], test: [] },
  variants: { pool: { strategy: { kind: 'pool', size: 1 } } },
  seeds: [0],
  execution: { device: 'cpu' },
};

const stories: readonly (readonly [name: string, story: () => Story])[] = [
  ['a population, one of which copies another,', population],
  ['a learner of simple_spread and its partner, of the same role,', () => coTraining(specDocument(), 1)],
  ['adversaries of simple_tag and their prey, of another role,', () => coTraining(tagDocument, 3)],
];

describe.each(stories)('%s', (_name, story) => {
  it('trained in a process that is replaced between the rounds, give the same checkpoints and numbers', async () => {
    const warm = openSession();
    const uninterrupted = await tell(story(), () => warm);
    expect(await tell(story(), openSession)).toEqual(uninterrupted);
    expect(new Set(uninterrupted.map(({ checkpoint }) => checkpoint.hash)).size).toBe(3);
    expect(uninterrupted.every(({ divergence }) => divergence === null)).toBe(true);
    expect(uninterrupted.every(({ episodes }) => episodes.every(({ scores }) => scores !== null))).toBe(true);
  });

  it('all learn, and under another seed otherwise', async () => {
    const told = story();
    const [first, , last] = await tell(told, openSession);
    const [before, after] = [await savedIn(first!), await savedIn(last!)];
    const [other] = await tell({ ...told, initial: { ...told.initial, seed: 1 } }, openSession);
    const elsewhere = await savedIn(other!);
    expect([...after.keys()]).toEqual(told.rounds[2]!.members.map(({ name }) => name));
    for (const [name, bytes] of before) {
      expect(textOf(bytes)).not.toBe(textOf(checkpointOf(after, name)));
      expect(textOf(bytes)).not.toBe(textOf(checkpointOf(elsewhere, name)));
    }
  });
});

describe('a process that serves one run after another', () => {
  it('gives every run what a fresh process gives it: other members, another family, another seed, and the first again', async () => {
    const told = [...stories.map(([, story]) => story()), population()];
    const last = told.at(-1)!;
    const all = [...told, { ...last, initial: { ...last.initial, seed: 1 } }];
    const fresh: TrainedRound[][] = [];
    for (const story of all) fresh.push(await tell(story, openSession));
    const one = openSession();
    const reused: TrainedRound[][] = [];
    for (const story of all) reused.push(await tell(story, () => one));
    expect(reused).toEqual(fresh);
    const hashes = fresh.map((responses) => responses.at(-1)!.checkpoint.hash);
    expect(new Set(hashes).size).toBe(all.length - 1);
  });

  it('evaluates and exports what it is asked for, and not what it trained last', async () => {
    const [first, second] = [population(), coTraining(tagDocument, 3)];
    const one = openSession();
    const trained = await tell(first, () => one);
    const checkpointHash = trained.at(-1)!.checkpoint.hash;
    await tell(second, () => one);
    const state = { ...first.initial, members: first.rounds.at(-1)!.members, checkpointHash };
    const simulators = first.pool.map(({ simulator }) => ({ simulator, randomization: {} }));
    const request = { ...state, player: 'policy', member: 'm1', simulators, episodes: 5, mode: 'sampled' } as const;
    expect(await one.evaluate(request)).toEqual(await openSession().evaluate(request));
    await tell(second, () => one);
    expect(await one.export(state)).toEqual(await openSession().export(state));
  });
});

describe('a population', () => {
  it('shares the env steps, and its first member learns as if its blocks were all', async () => {
    const told = population();
    const [first] = await tell(told, openSession);
    expect(first!.members.map(({ name, episodes }) => [name, episodes])).toEqual([
      ['m0', 2 * 4],
      ['m1', 2 * 4],
    ]);
    expect(first!.envSteps).toBe(4 * 4 * 25);
    const half = {
      ...told.initial.resolved,
      budget: { ...told.initial.resolved.budget, env_steps: budget.env_steps / 2 },
    };
    const alone = {
      ...told,
      initial: { ...told.initial, resolved: half },
      rounds: [{ members: ONE_LEARNER, startsMembers: true }],
    };
    const [single] = await tell(alone, openSession);
    expect(textOf(checkpointOf(await savedIn(first!), 'm0'))).toBe(
      textOf(checkpointOf(await savedIn(single!), 'learner')),
    );
  });

  it('goes on from the weights that are copied, with hyper-parameters of its own', async () => {
    const told = population();
    const [, second] = await tell({ ...told, rounds: told.rounds.slice(0, 2) }, openSession);
    const state = { ...told.initial, ...told.rounds[2]!, checkpointHash: second!.checkpoint.hash, roundIndex: 2 };
    const rest = {
      pool: told.pool,
      episodeRule: PLAIN_EPISODES,
      scoresEpisodes: false,
      keepsSamples: false,
      samplerCount: 1,
    };
    const still = told.rounds[2]!.members.map((member) => ({ ...member, hyperparameters: { learning_rate: 1e-30 } }));
    const frozen = await openSession().train({ ...state, ...rest, members: still });
    // Nothing moves at such a rate but the scale of the values; so both policies are still that of the first.
    const kept = await savedIn(frozen);
    const actorOf = (name: string) => weightsIn(checkpointOf(kept, name)).slice(0, 64);
    expect(actorOf('m1')).toBe(actorOf('m0'));
    expect(actorOf('m0')).toBe(weightsIn(checkpointOf(await savedIn(second!), 'm0')).slice(0, 64));
    const moved = await openSession().train({ ...state, ...rest });
    const metricsOf = (name: string) => moved.metrics[name]!;
    expect(metricsOf('m1.learning_rate')).toBeLessThan(metricsOf('learning_rate') / 10);
  });

  it('lets the member that is named play, with its own weights', async () => {
    const told = population();
    const [first] = await tell({ ...told, rounds: told.rounds.slice(0, 1) }, openSession);
    const state = { ...told.initial, members: told.rounds[0]!.members, checkpointHash: first!.checkpoint.hash };
    const simulators = told.pool.map(({ simulator }) => ({ simulator, randomization: {} }));
    const request = { ...state, player: 'policy', simulators, episodes: 5, mode: 'sampled' } as const;
    const session = openSession();
    const [one, two] = [
      await session.evaluate({ ...request, member: 'm0' }),
      await session.evaluate({ ...request, member: 'm1' }),
    ];
    expect(one).not.toEqual(two);
    expect(await openSession().evaluate({ ...request, member: 'm1' })).toEqual(two);
    await expect(session.evaluate({ ...request, member: 'm2' })).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
  });

  it('cannot go on with a member that the checkpoint lacks', async () => {
    const told = population();
    const [first] = await tell({ ...told, rounds: told.rounds.slice(0, 1) }, openSession);
    const members = [learner('m0'), learner('m7')];
    const state = { ...told.initial, members, checkpointHash: first!.checkpoint.hash };
    await expect(openSession().export(state)).rejects.toMatchObject({
      code: 'REQUEST_CONFLICT',
      message: expect.stringContaining('no policy called m7; it holds m0, m1'),
    });
  });
});

describe('a policy as a file', () => {
  it('is one for each group of a learner, and for the groups of the partner’s seats', async () => {
    const { initial } = coTraining(tagDocument, 3);
    const exported = await openSession().export(initial);
    expect(exported.map(({ member, group }) => [member, group])).toEqual([
      ['learner', 0],
      ['learner', 1],
      ['partner', 1],
    ]);
    expect(new Set(exported.map(({ artifact }) => artifact.hash)).size).toBe(3);
  });
});

it('a partner beside learners who hold every seat is a defect', async () => {
  const { initial } = coTraining(tagDocument, 3);
  const resolved = { ...initial.resolved, learners: [0, 1, 2, 3] };
  await expect(openSession().export({ ...initial, resolved })).rejects.toMatchObject({ code: 'DEFECT_INVARIANT' });
});
