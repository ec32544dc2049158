import { describe, expect, it } from 'vitest';
import { candidateAt, madeUpLineage, memberAt } from '../../test/support/made-up-lineage.ts';
import { ancestryOf, whyText } from './lineage-why.ts';

describe('how a simulator was made', () => {
  const told = (reason: string, origin: string): string => {
    const pools = [memberAt(0, 'zero'), memberAt(4, 'zero~1', { parents: ['zero'], reason })];
    const lineage = madeUpLineage({ pools, candidates: [candidateAt(4, 'zero~1', { origin })] });
    return whyText(lineage, ancestryOf(lineage, 'zero~1'), null);
  };

  it.each(['drawn around zero in round 4', 'drawn around zero'])(
    'is not told again where "%s" is why it is in',
    (why) => {
      const text = told(why, 'drawn around zero');
      expect(text).toMatch(new RegExp(`why +${why}\n`));
      expect(text).not.toContain('how made');
    },
  );

  it('is told beside a reason that says something else', () => {
    expect(told('least known in round 4', 'drawn around zero')).toMatch(/how made +drawn around zero\n/);
  });
});
