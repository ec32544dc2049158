import { describe, expect, it } from 'vitest';
import { candidateAt, exitAt, madeUpLineage, memberAt, taughtBy } from '../../test/support/made-up-lineage.ts';
import { simulatorLives } from './simulator-lives.ts';

const lifeOf = (name: string, ...args: Parameters<typeof madeUpLineage>) =>
  simulatorLives(madeUpLineage(...args)).find((life) => life.name === name)!;

describe('the life of a simulator', () => {
  it('has a stay for every time it entered, up to the decision that let it go', () => {
    const pools = [0, 4, 8, 12].map((round) => memberAt(round, 'zero'));
    const others = [0, 8].map((round) => memberAt(round, 'left'));
    const told = { pools: [...pools, ...others].sort((a, b) => a.round - b.round) };
    expect(lifeOf('zero', told).stays).toEqual([{ entered: 0, left: null }]);
    expect(lifeOf('left', told).stays).toEqual([
      { entered: 0, left: 4 },
      { entered: 8, left: 12 },
    ]);
  });

  it('begins with the reason of the first pool and keeps the weight of the last, and what was measured last', () => {
    const pools = [
      memberAt(0, 'zero', { reason: 'first', weight: 1, contribution: 3 }),
      memberAt(4, 'zero', { reason: 'second', weight: 0.25 }),
      memberAt(8, 'other'),
    ];
    expect(lifeOf('zero', { pools })).toMatchObject({ reason: 'first', weight: 0.25, contribution: 3, exit: null });
    const exits = [exitAt(8, 'zero', { contribution: 2 })];
    expect(lifeOf('zero', { pools, exits })).toMatchObject({ contribution: 2, exit: exits[0] });
  });

  it('has no exit while it is in the pool, though it left before', () => {
    const pools = [memberAt(0, 'zero'), memberAt(4, 'other'), memberAt(8, 'zero')];
    expect(lifeOf('zero', { pools, exits: [exitAt(4, 'zero')] }).exit).toBeNull();
  });

  it('is that of one content: an equal name with another content is another simulator', () => {
    const pools = [memberAt(0, 'zero'), memberAt(4, 'zero', { simulatorHash: 'changed' })];
    const taught = [taughtBy('zero', { simulatorHash: 'changed' })];
    const lives = simulatorLives(madeUpLineage({ pools, taught }));
    expect(lives.map(({ hash }) => hash)).toEqual(['zero', 'changed']);
    expect(lives.map((life) => life.taught)).toEqual([null, taught[0]]);
  });

  it('is told of candidates, too, after those that entered', () => {
    const refused = candidateAt(4, 'bad', { refusal: 'too easy', failure: '4.1' });
    const admitted = candidateAt(4, 'good');
    const lives = simulatorLives(
      madeUpLineage({ pools: [memberAt(0, 'zero'), memberAt(4, 'good')], candidates: [refused, admitted] }),
    );
    expect(lives.map(({ name }) => name)).toEqual(['zero', 'good', 'bad']);
    expect(lives[1]!.judged).toBe(admitted);
    expect(lives[2]).toMatchObject({ stays: [], weight: null, reason: 'made bad', failure: '4.1', judged: refused });
  });
});
