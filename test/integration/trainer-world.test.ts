import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runTrainer } from '../../infra/trainers/run-trainer.ts';
import { NO_POLICIES } from '../../learning/rollout/partner-policies.ts';
import { PlayedWorld } from '../../learning/trainers/played-world.ts';
import { pythonEnvironment } from '../support/python-environment.ts';
import { openSpread, simulatorOf } from '../support/small-learning.ts';

// What a program in Python sees of the world through its pipe is what is played here, with numpy and without.

const ENVIRONMENTS = 2;
const STEPS = 7;
const world = openSpread({ agents: 3, episode_steps: 5 });
const partner = { partners: { '2': { kind: 'scripted', name: 'nearest_landmark' } } };
const pool = [{ name: 'one', simulator: simulatorOf(world, partner), weight: 1, randomization: {}, learns: true }];

const open = (environmentCount: number): Promise<PlayedWorld> =>
  PlayedWorld.create({
    world,
    learners: [0, 1],
    pool,
    groupSize: 1,
    seed: 1,
    roundIndex: 0,
    environmentCount,
    loadPolicy: NO_POLICIES,
    onEpisode: () => undefined,
  });

const PROGRAM = `
import json, sys, thaw_trainer
if sys.argv[1] == "plain":
    thaw_trainer.numpy = None
task = thaw_trainer.read_task()
world = task.world(${ENVIRONMENTS})
flat = lambda numbers: (numbers.tolist() if thaw_trainer.numpy is None else numbers.reshape(-1).tolist())
trace = [flat(world.observations["agent"])]
while world.steps_left > 0:
    step = world.step({"agent": [1, 2, 3, 4, 0, 1]})
    trace += [flat(step.rewards), flat(step.final["agent"]), flat(world.observations["agent"]), flat(step.truncated), flat(world.seats)]
try:
    world.step({})
except RuntimeError as refusal:
    task.report(metrics={"refused": len(str(refusal)), "nothing": float("nan")})
(task.save_folder / "trace.json").write_text(json.dumps(trace))
task.save(policies={"agent": b"a policy"})
`;

const folder = mkdtempSync(path.join(tmpdir(), 'thaw-world-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function expectedTrace(): Promise<number[][]> {
  const played = await open(ENVIRONMENTS);
  const trace = [[...played.observations[0]!]];
  for (let step = 0; step < STEPS; step += 1) {
    played.actions.set([1, 2, 3, 4, 0, 1]);
    await played.step();
    const { rewards, final, observations, truncated, seats } = played;
    trace.push(...[rewards, final[0]!, observations[0]!, truncated, seats].map((numbers) => [...numbers]));
  }
  return trace;
}

it.each(['numpy', 'plain'])(
  'a program with arrays of the kind %s plays the world as it is',
  async (kind) => {
    const { interpreter } = await pythonEnvironment();
    let stepsLeft = STEPS;
    const events: object[] = [];
    const { groups, seatCount, episodeStepsMax } = world;
    const { state, played } = await runTrainer({
      parent: folder,
      command: [interpreter, 'program.py', kind],
      program: new Map([['program.py', Buffer.from(PROGRAM)]]),
      checkpoint: null,
      policies: new Map(),
      task: {
        format: 1,
        round: 0,
        rounds: 1,
        seed: 1,
        env_steps: STEPS * ENVIRONMENTS,
        settings: {},
        simulators: [],
        world: {
          learners: [0, 1],
          seat_count: seatCount,
          episode_steps_max: episodeStepsMax,
          groups: groups.map(({ role, seats, observationSize, actions }) => ({
            ...{ role, seats, actions, masked: false },
            observation_size: observationSize,
          })),
        },
      },
      openWorld: open,
      beforeStep: () => {
        stepsLeft -= 1;
        if (stepsLeft < 0) throw new Error('no more');
      },
      onEvent: (event) => events.push(event),
      onProgress: async () => undefined,
    });
    const trace = JSON.parse(Buffer.from(state!.files.get('trace.json')!).toString()) as number[][];
    expect(trace).toEqual(await expectedTrace());
    expect(events).toEqual([{ metrics: { refused: 'Thaw: no more'.length, nothing: NaN } }]);
    expect(Buffer.from(state!.policies.get('agent')!).toString()).toBe('a policy');
    expect(played!.visitation).toHaveLength(1);
  },
  300_000,
);
