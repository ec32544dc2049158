import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { keyFrom } from '../random.ts';
import type { TalkStart } from './conversation.ts';
import { simpleSpeakerListener } from './family.ts';
import { ARRIVED_DISTANCE } from './rewards.ts';

type Pair = [number, number];

interface Episode {
  readonly goal: number;
  readonly agents: Pair[];
  readonly landmarks: Pair[];
  readonly actions: Pair[];
  readonly states: number[][][];
  readonly rewards: number[][];
  readonly observations: number[][][];
}

interface Golden {
  readonly versions: { readonly mpe2: string };
  readonly episodes: readonly Episode[];
}

const golden = JSON.parse(
  gunzipSync(
    readFileSync(new URL('../../test/golden/simple-speaker-listener-mpe2.json.gz', import.meta.url)),
  ).toString(),
) as Golden;

/** Largest absolute errors against MPE2, how many numbers differ at all, and what the comparison came across. */
const error = { state: 0, observation: 0, reward: 0 };
const seen = { episodes: 0, steps: 0, ends: 0, numbers: 0, unequal: 0, arrivals: 0, meetings: 0 };
const goals = [0, 0, 0];
const words = [0, 0, 0];

function compare(kind: keyof typeof error, ours: readonly number[], theirs: readonly number[]): void {
  expect(ours).toHaveLength(theirs.length);
  theirs.forEach((expected, index) => {
    const difference = Math.abs(ours[index]! - expected);
    seen.numbers += 1;
    if (difference !== 0) seen.unequal += 1;
    // A NaN on either side must count as an error, which no comparison with it would.
    error[kind] = Number.isNaN(difference) ? Infinity : Math.max(error[kind], difference);
  });
}

function replay({ goal, agents, landmarks, actions, states, rewards, observations }: Episode): void {
  const world = simpleSpeakerListener.open(simpleSpeakerListener.optionsSchema.parse({}));
  const batch = world.createBatch(1);
  const outs = world.groups.map(({ observationSize }) => new Float64Array(observationSize));
  const look = (step: number) =>
    outs.forEach((out, group) => {
      batch.observe(group, out);
      compare('observation', [...out], observations[step]![group]!);
    });
  batch.reset(0, world.compile(world.simulatorSchema.parse({})), keyFrom(0));
  batch.place(0, world.startSchema.parse({ goal, agents, landmarks }));
  look(0);
  actions.forEach((joint, step) => {
    void batch.step(Int32Array.from(joint));
    const state = batch.state(0) as unknown as TalkStart;
    const ours = state.agents.flatMap((position, seat) => [...position, ...state.velocities[seat]!]);
    compare('state', ours, states[step]!.flat());
    compare('reward', [...batch.rewards], rewards[step]!);
    look(step + 1);
    expect(batch.success[0]).toBe(rewards[step]![0]! > -(ARRIVED_DISTANCE ** 2) ? 1 : 0);
    seen.steps += 1;
    seen.ends += batch.truncated[0]!;
    seen.arrivals += batch.success[0]!;
    // Bodies that would push each other in another world.
    if (Math.hypot(ours[0]! - ours[4]!, ours[1]! - ours[5]!) < 0.15) seen.meetings += 1;
    words[joint[0]]! += 1;
  });
  seen.episodes += 1;
  goals[goal]! += 1;
}

describe('simple_speaker_listener against MPE2 1.1.1', () => {
  beforeAll(() => golden.episodes.forEach(replay));

  it('is compared over 100 whole episodes, with every goal and word, arrivals, and agents at one place', () => {
    expect(golden.versions.mpe2).toBe('1.1.1');
    expect(seen).toMatchObject({ episodes: 100, steps: 2500, ends: 100 });
    expect(seen.numbers).toBe(2500 * (8 + 2) + 2600 * (3 + 11));
    for (const count of [...goals, ...words]) expect(count).toBeGreaterThan(15);
    expect(seen.arrivals).toBeGreaterThan(50);
    expect(seen.meetings).toBeGreaterThan(50);
  });

  it.each(['state', 'observation', 'reward'] as const)('gives the same %s to the bit', (kind) => {
    expect(error[kind]).toBe(0);
    expect(seen.unequal).toBe(0);
  });
});
