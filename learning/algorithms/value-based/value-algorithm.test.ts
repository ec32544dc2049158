import { describe, expect, it } from 'vitest';
import { openSpread } from '../../../test/support/small-learning.ts';
import { ALGORITHMS } from '../registry.ts';

const world = openSpread({ agents: 2 });
const ofValues = Object.values(ALGORITHMS).filter((algorithm) => {
  const defaults: object = algorithm.parametersSchema(world).parse({ name: algorithm.name });
  return 'learning_starts' in defaults;
});

describe.each(ofValues)('$name', (algorithm) => {
  it('waits for as many transitions as it can keep, and for no more, which would be for ever', () => {
    const asked = (start: number) =>
      algorithm
        .parametersSchema(world)
        .safeParse({ name: algorithm.name, learning_starts: start, replay: { capacity: 500 } });
    expect(asked(500).success).toBe(true);
    expect(asked(501).error?.issues).toMatchObject([{ path: ['learning_starts'] }]);
  });
});
