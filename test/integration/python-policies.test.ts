import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ONNX_EXAMPLE } from '../../cli/export/onnx-example.ts';
import { createFilePolicy } from '../../cli/policies/file-policy.ts';
import { describePolicy } from '../../cli/export/policy-description.ts';
import { createOnnxExecutor } from '../../infra/onnx/executor.ts';
import { exportedModel } from '../../infra/onnx/exported-model.ts';
import type { Learner } from '../../learning/algorithms/contract.ts';
import { ALGORITHMS } from '../../learning/algorithms/registry.ts';
import { SeatActor } from '../../learning/rollout/seat-actor.ts';
import { trainRound } from '../../learning/training.ts';
import { createActions } from '../../simulators/actions.ts';
import type { World } from '../../simulators/contract.ts';
import { keyFrom, RandomStream } from '../../simulators/random.ts';
import { FAMILIES } from '../../simulators/registry.ts';
import { type PythonEnvironment, pythonEnvironment } from '../support/python-environment.ts';
import { simulatorOf, trainingRound } from '../support/small-learning.ts';

// Policies of all kinds act in Python, through the example that is exported beside them, as they act here.

const SMALL = { hidden_sizes: [8], parallel_environments: 8 };
const GRU = { recurrent: { units: 6 } };
const CASES = {
  'actions that are illegal': ['foraging', { players: 2, field_size: 5, food: 1 }, 'ippo', {}],
  'a memory, and observations that are normalised': [
    'simple_spread',
    {},
    'ippo',
    { ...GRU, observation_normalization: true },
  ],
  'a memory for each seat of its own, and actions that are illegal': [
    'foraging',
    { players: 2, field_size: 5, food: 1 },
    'mappo',
    { ...GRU, parameter_sharing: 'none' },
  ],
  'boxes of actions': ['simple_spread', { continuous_actions: true }, 'ippo', {}],
  'values of actions': ['foraging', { players: 2, field_size: 5, food: 1 }, 'iql', {}],
} as const;

const EPISODES = 2;
const executor = createOnnxExecutor();
const folder = mkdtempSync(path.join(tmpdir(), 'thaw-python-'));
let python: PythonEnvironment;

beforeAll(async () => {
  python = await pythonEnvironment();
  writeFileSync(path.join(folder, 'example.py'), ONNX_EXAMPLE);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = `
import importlib.util, json, pathlib, sys
spec = importlib.util.spec_from_file_location("example", sys.argv[1]); example = importlib.util.module_from_spec(spec); spec.loader.exec_module(example)
description = example.POLICIES[0]; policy = example.Policy(description, description["seats"]); actions = []; illegal = []
for step in json.loads(pathlib.Path(sys.argv[2]).read_text()):
    if step["begins"]: policy.reset()
    memory = policy.memory
    actions.append(policy.act(step["observations"], step["mask"]).tolist())
    if step["mask"] is not None:
        policy.memory = memory
        chances = example.probabilities(policy.run(step["observations"], step["mask"])["logits"])
        illegal += chances[example.numpy.asarray(step["mask"]) == 0].tolist()
print(json.dumps({"actions": actions, "illegal": illegal}))`;

interface Step {
  readonly begins: boolean;
  readonly observations: readonly number[][];
  readonly mask: readonly number[][] | null;
  readonly actions: readonly (number | number[])[];
}

function openedWorld(name: string, options: object): World {
  const family = FAMILIES[name]!;
  return family.open(family.optionsSchema.parse({ ...options, episode_steps: 8 }));
}

/** Whole episodes as the learner's own actor plays them, with what it was shown. */
async function played(world: World, learner: Learner): Promise<Step[]> {
  const [policy] = learner.policies;
  const { seats, observationSize } = world.groups[0]!;
  const asked = { values: false, explores: false, environmentCount: 1 };
  const actor = await learner.createActor(0, seats.length, asked);
  const seated = new SeatActor({ world, policy: policy!, seats, environmentCount: 1, actor });
  const rowsOf = (array: Float32Array | Uint8Array, width = array.length / seats.length): number[][] =>
    seats.map((_, row) => [...array.subarray((row * array.length) / seats.length).subarray(0, width)]);
  const steps: Step[] = [];
  for (let episode = 0; episode < EPISODES; episode += 1) {
    const batch = world.createBatch(1);
    batch.reset(0, world.compile(simulatorOf(world)), keyFrom(episode));
    for (let step = 0; batch.ended[0] === 0 && batch.truncated[0] === 0; step += 1) {
      const actions = createActions(world, 1);
      seated.observe(batch, Int32Array.of(step));
      await seated.forward();
      seated.commit();
      const { actionSize } = seated.head;
      seats.forEach((seat, row) =>
        seated.choose('deterministic', row, new RandomStream(keyFrom(0)), actions, seat * actionSize),
      );
      const given = seats.map((seat) => [...actions.subarray(seat * actionSize, (seat + 1) * actionSize)]);
      steps.push({
        begins: step === 0,
        observations: rowsOf(actor.inputs, observationSize),
        mask: actor.masks && rowsOf(actor.masks),
        actions: policy!.actions.kind === 'discrete' ? given.flat() : given,
      });
      await batch.step(actions);
    }
  }
  return steps;
}

/** The same episodes as the policy plays them out of its file, in the order of seats. */
async function playedByFile(world: World, file: string): Promise<number[]> {
  const given: number[] = [];
  for (let episode = 0; episode < EPISODES; episode += 1) {
    const policy = await createFilePolicy(file, world);
    const batch = world.createBatch(1);
    batch.reset(0, world.compile(simulatorOf(world)), keyFrom(episode));
    while (batch.ended[0] === 0 && batch.truncated[0] === 0) {
      const actions = createActions(world, 1);
      await policy.act(batch, actions);
      given.push(...actions);
      await batch.step(actions);
    }
    await policy.release();
  }
  return given;
}

describe.each(Object.entries(CASES))('a policy with %s', (_title, [family, options, name, settings]) => {
  it('takes the same actions in Python and out of its file over whole episodes, and illegal ones have probability 0 exactly', async () => {
    const world = openedWorld(family, options);
    const learners = world.groups[0]!.seats;
    const algorithm = ALGORITHMS[name]!;
    const parameters = algorithm.parametersSchema(world).parse({ name, ...SMALL, ...settings });
    const setup = { world, learners, parameters, executor, updateCount: 1, seed: 3, memberIndex: 0 };
    const learner = await algorithm.createLearner(setup);
    await trainRound(trainingRound(world, learner, { learners, updateCount: 1 }));
    const bytes = exportedModel(learner.policyGraph(0), {});
    const steps = await played(world, learner);
    await learner.release();

    writeFileSync(path.join(folder, 'policy.onnx'), bytes);
    const description = { ...(await describePolicy(world, 0, bytes)), file: 'policy.onnx' };
    writeFileSync(path.join(folder, 'policies.json'), JSON.stringify([description]));
    writeFileSync(path.join(folder, 'steps.json'), JSON.stringify(steps));
    const text = await python.run(PROGRAM, [path.join(folder, 'example.py'), path.join(folder, 'steps.json')]);
    const { actions, illegal } = JSON.parse(text) as { actions: Step['actions'][]; illegal: number[] };

    expect(actions).toHaveLength(steps.length);
    expect(steps.filter(({ begins }) => begins)).toHaveLength(EPISODES);
    steps.forEach((step, index) => {
      if (description.action_space.kind === 'discrete') expect(actions[index]).toEqual(step.actions);
      else step.actions.flat().forEach((value, at) => expect(actions[index]!.flat()[at]).toBeCloseTo(value, 5));
    });
    const here = await playedByFile(world, path.join(folder, 'policy.onnx'));
    const own = steps.flatMap((step) => step.actions.flat());
    expect(here).toHaveLength(own.length);
    here.forEach((value, at) => expect(value).toBeCloseTo(own[at]!, 5));
    const illegalCount = steps.flatMap(({ mask }) => mask?.flat() ?? []).filter((entry) => entry === 0).length;
    expect(illegal).toEqual(new Array(illegalCount).fill(0));
    if (family === 'foraging') expect(illegalCount).toBeGreaterThan(0);
  });
});
