import { describe, expect, it } from 'vitest';
import { createOnnxExecutor } from '../../../infra/onnx/executor.ts';
import { onnxModelFromGraph } from '../../../infra/onnx/model.ts';
import { loadPolicy } from '../../../infra/onnx/policy-model.ts';
import { FAMILIES } from '../../../simulators/registry.ts';
import { keyFrom, RandomStream } from '../../../simulators/random.ts';
import { actionHead } from '../../rollout/action-head.ts';
import { type Actor } from '../contract.ts';
import { ALGORITHMS } from '../registry.ts';

// Foraging has actions that are illegal.
const world = FAMILIES['foraging']!.open(FAMILIES['foraging']!.optionsSchema.parse({}));
const ROWS = 6;

/** What an actor does in rows of chance whose first two actions are illegal in every other row. */
async function actionsOf(actor: Actor): Promise<{ best: number[]; drawn: number[] }> {
  const random = new RandomStream(keyFrom(3));
  const { actions } = world.groups[0]!;
  const head = actionHead(actions);
  actor.inputs.forEach((_, at) => (actor.inputs[at] = random.nextNormal()));
  actor.masks!.forEach((_, at) => {
    const isOdd = Math.floor(at / head.outputSize) % 2 === 1;
    actor.masks![at] = isOdd && at % head.outputSize < 2 ? 0 : 1;
  });
  await actor.forward();
  const chosen = new Int32Array(2);
  const rows = Array.from({ length: ROWS }, (_, row) => {
    head.best(actor.logits, row, chosen, 0);
    head.sample(actor.logits, row, random, chosen, 1);
    return [...chosen];
  });
  return { best: rows.map(([best]) => best!), drawn: rows.map(([, drawn]) => drawn!) };
}

describe.each(['iql', 'vdn', 'qmix'])('%s', (name) => {
  it('takes the best legal action, also where actions are drawn, and so does the policy that it exports', async () => {
    const algorithm = ALGORITHMS[name]!;
    const learners = Array.from({ length: world.seatCount }, (_, seat) => seat);
    const parameters = algorithm.parametersSchema(world).parse({ name, hidden_sizes: [8], parameter_sharing: 'none' });
    const setup = { world, learners, parameters, executor: createOnnxExecutor(), updateCount: 1, seed: 1 };
    const learner = await algorithm.createLearner({ ...setup, memberIndex: 0 });
    const asked = { values: true, explores: false, environmentCount: ROWS };
    const own = await actionsOf(await learner.createActor(0, ROWS, asked));
    expect(own.drawn).toEqual(own.best);
    expect(new Set(own.best).size).toBeGreaterThan(1);
    expect(own.best.filter((_, row) => row % 2 === 1).every((action) => action >= 2)).toBe(true);
    const model = await loadPolicy(
      onnxModelFromGraph(learner.policyGraph(0), { dynamicRows: true, metadata: {} }),
      'exported',
    );
    expect(await actionsOf(await model.createActor(ROWS, world.groups[0]!.actions))).toEqual(own);
    await learner.release();
  });
});
