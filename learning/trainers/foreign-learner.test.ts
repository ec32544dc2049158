import { describe, expect, it } from 'vitest';
import { openSpread } from '../../test/support/small-learning.ts';
import type { LearnerSetup, ReleasableModel } from '../algorithms/contract.ts';
import { bytesFromForeign } from './foreign-checkpoint.ts';
import { ForeignLearner } from './foreign-learner.ts';

const world = openSpread({ agents: 2 });
const [group] = world.groups;
const ASKED = { values: true, explores: false, environmentCount: 1 };
const bytes = Uint8Array.of(1, 2);
let released = 0;

/** Takes what it is told, and gives as many logits as there are actions. */
const modelOf = (inputSize: number): ReleasableModel => ({
  inputSize,
  outputSize: 5,
  actionKind: 'discrete',
  isMasked: false,
  memorySize: 3,
  createActor: async (rowCount) => ({
    rowCount,
    inputs: new Float32Array(rowCount * inputSize),
    masks: null,
    joint: null,
    memory: { size: 3, now: new Float32Array(3 * rowCount), next: new Float32Array(3 * rowCount) },
    logits: new Float32Array(rowCount * 5).fill(1),
    values: null,
    forward: async () => undefined,
    release: async () => undefined,
  }),
  release: async () => void (released += 1),
});

const learnerWith = (inputSize: number): ForeignLearner =>
  new ForeignLearner({ world, loadModel: async () => modelOf(inputSize) } as unknown as LearnerSetup);

const trained = (role: string) => bytesFromForeign({ files: new Map(), policies: new Map([[role, bytes]]) });

describe('the learner whose policies a program left behind', () => {
  it('acts at random before there are any, and knows no values', async () => {
    const learner = learnerWith(group!.observationSize);
    expect(learner.isUntrained).toBe(true);
    const actor = await learner.createActor(0, 2, ASKED);
    actor.logits[3] = -Infinity;
    await actor.forward();
    expect([...actor.logits]).toEqual(Array(10).fill(0));
    expect([...actor.values!]).toEqual([NaN, NaN]);
    expect(learner.policyFile(0)).toBeNull();
  });

  it('acts as they do, with their memory and identity, and stores what it was given', async () => {
    const identitySize = group!.seats.length;
    const learner = learnerWith(group!.observationSize + identitySize);
    await learner.load(trained('agent'));
    expect(learner.policies).toMatchObject([{ identitySize, memorySize: 3 }]);
    const actor = await learner.createActor(0, 2, { ...ASKED, values: false });
    expect(actor).toMatchObject({ rowCount: 2, values: null, memory: { size: 3 } });
    expect(learner.policyFile(0)).toEqual(bytes);
    expect(learner.save()).toEqual(trained('agent'));
    const before = released;
    await learner.load(trained('agent'));
    expect(released).toBe(before + 1);
  });

  it('refuses policies that do not fit, and roles that nobody has', async () => {
    await expect(learnerWith(3).load(trained('agent'))).rejects.toMatchObject({ code: 'REQUEST_CONFLICT' });
    await expect(learnerWith(group!.observationSize).load(trained('prey'))).rejects.toThrow(
      /the roles here are "agent"/,
    );
  });
});
