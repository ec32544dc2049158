import { expect, it } from 'vitest';
import { loggedIds } from './logged-ids.ts';

it('a line about a workflow names the experiment and the run that it is of', () => {
  expect(loggedIds({ workflowId: 'run/demo-1/pool/3', attempt: 1 })).toEqual({
    experiment: 'demo-1',
    run: 'demo-1/pool/3',
    variant: 'pool',
    seed: 3,
  });
  expect(loggedIds({ workflowId: 'experiment/demo-1' })).toEqual({ experiment: 'demo-1' });
  for (const meta of [undefined, {}, { workflowId: 'other' }]) expect(loggedIds(meta)).toEqual({});
});
