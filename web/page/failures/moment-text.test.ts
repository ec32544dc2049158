import { describe, expect, it } from 'vitest';
import { actionText, momentText } from './moment-text.ts';
import { colorIndexOf, courseOf, momentOf, placeBetween, type ShownReplay } from './replay-course.ts';

type Body = ShownReplay['bodies'][number];

const disc = (role: Body['role'], change: Partial<Body>): Body => ({
  ...{ id: 'body', role, kind: 'circle', width: 0.1, height: 0.1, seat: null, label: null, places: [] },
  ...change,
});

/** An episode of two steps of which the second is the key moment. */
const REPLAY: ShownReplay = {
  failure: {
    ...{ id: 'a/pool/0:2.1', run_id: 'a/pool/0', variant: 'pool', seed: 0, round: 2, simulator: 'top', return: -3 },
    ...{ chance_return: -9, known_return: -1, known_by: 'scripted', score: 0.5, group: 0, is_medoid: true },
    ...{ key_moment: 1, has_critic: true, steps: 2, made: 0, entered: 0 },
  },
  ...{ family: 'made_up', caption: '', ending: 'time over', cooperative: true, action_names: ['nothing', 'left'] },
  seats: [
    { role: 'agent', driver: 'learner', is_scripted: false },
    { role: 'agent', driver: 'scripted: noop', is_scripted: true },
  ],
  view: { left: 0, bottom: 0, width: 4, height: 4 },
  bodies: [
    disc('seat', {
      id: 'seat 0',
      seat: 0,
      places: [
        [0, 0],
        [1, 0],
        [2, 0],
      ],
    }),
    disc('seat', { id: 'seat 1', seat: 1, places: [[1, 2]] }),
    disc('target', { id: 'near', label: '0', places: [[1, 1], [1, 1], null] }),
    disc('target', { id: 'far', label: '1', places: [[9, 9]] }),
  ],
  frames: [
    { step: 0, rewards: [], actions: [], value: 4 },
    { step: 1, rewards: [-1, 0], actions: [1, 0], value: 3 },
    { step: 2, rewards: [-1.5, -0.5], actions: [7, 0], value: 0.5 },
  ],
};

describe('the key moment in words', () => {
  it('says what the critic thought, what the step brought, and who did what, where', () => {
    expect(momentText(REPLAY)).toEqual([
      'Step 1 of 2 is the key moment: the value that the critic expects goes from 3 to 0.5000, a fall by 2.500.',
      'The step brings a reward of −2, all seats together.',
      'Seat 0 (agent, learner) is at (1, 0), 2 from seat 1 and 1 from target 0, and does “7”.',
      'Seat 1 (agent, scripted: noop) is at (1, 2), 2 from seat 0 and 1 from target 0, and does “nothing”.',
    ]);
  });

  it('says that it is not known where there is no critic, and what came of the first step', () => {
    const failure = { ...REPLAY.failure, has_critic: false, key_moment: 0 };
    const frames = REPLAY.frames.map((frame) => ({ ...frame, value: NaN }));
    const told = momentText({ ...REPLAY, failure, frames });
    expect(told[0]).toMatch(/^The key moment is not known: no critic/);
    expect(told.join(' ')).not.toContain('NaN');
    expect(told[1]).toBe('The step brings a reward of −1, all seats together.');
    expect([momentOf(REPLAY), momentOf({ failure })]).toEqual([1, null]);
  });

  it('says of a box how much of what is done, the most first', () => {
    expect(actionText({ action_names: ['nothing', 'left', 'right'] }, [0.25, 0, 1, 0.5])).toBe(
      '1 right, 0.5000 3, 0.2500 nothing, 0 left',
    );
  });

  it('looks at those of another role where there are any', () => {
    const prey = disc('seat', { id: 'seat 2', seat: 2, places: [[4, 0]] });
    const seats = [...REPLAY.seats, { role: 'prey', driver: 'scripted: flee', is_scripted: true }];
    const words = momentText({ ...REPLAY, cooperative: false, seats, bodies: [...REPLAY.bodies, prey] });
    expect(words[2]).toContain('3 from seat 2 and 1 from target 0');
    expect(words[4]).toBe('Seat 2 (prey, scripted: flee) is at (4, 0), 3 from seat 0 and 3.162 from target 0.');
  });

  it('says that a value rises least where none falls, and nothing of what is no number', () => {
    const valued = (value: number) => ({
      ...REPLAY,
      frames: REPLAY.frames.map((frame, index) => (index === 2 ? { ...frame, value } : frame)),
    });
    expect(momentText(valued(3.5))[0]).toContain('from 3 to 3.500, where it rises least.');
    expect(momentText(valued(NaN))[0]).toMatch(/from 3 to NaN\.$/);
    expect(momentText(valued(-Infinity))[0]).toContain('from 3 to −∞, a fall by ∞.');
  });
});

describe('the course of an episode', () => {
  it('sums over all seats where they play together, and is the mean of those that no script holds otherwise', () => {
    expect(courseOf(REPLAY)).toMatchObject({ rewards: [null, -1, -2], returns: [0, -1, -3], values: [4, 3, 0.5] });
    expect(courseOf({ ...REPLAY, cooperative: false }).rewards).toEqual([null, -1, -1.5]);
  });

  it('moves evenly from one frame to the next; what vanishes stays until it is gone', () => {
    const [mover, still, target] = REPLAY.bodies;
    expect([0, 0.5, 1.25, 2].map((position) => placeBetween(mover!, position))).toEqual([
      [0, 0],
      [0.5, 0],
      [1.25, 0],
      [2, 0],
    ]);
    expect(placeBetween(still!, 1.5)).toEqual([1, 2]);
    expect([1.5, 2].map((position) => placeBetween(target!, position))).toEqual([[1, 1], null]);
  });

  it('has a colour for each seat, or for each role where there are several', () => {
    expect([0, 1].map((seat) => colorIndexOf(REPLAY, seat))).toEqual([0, 1]);
    const roles = { seats: ['prey', 'hunter', 'hunter'].map((role) => ({ role, driver: '', is_scripted: false })) };
    expect([0, 1, 2].map((seat) => colorIndexOf(roles, seat))).toEqual([0, 1, 1]);
  });
});
