import { expect, it } from 'vitest';
import { ALGORITHMS } from '../algorithms/registry.ts';
import { COMMAND } from './command.ts';
import { lessMemoryOf } from './less-memory.ts';

it('who lacks memory is told what is theirs to turn: of a program of the user no minibatch is known', () => {
  for (const name of Object.keys(ALGORITHMS)) expect(lessMemoryOf({ name })).toContain('algorithm.minibatch_size');
  expect(lessMemoryOf({ name: COMMAND })).toContain('trainer.settings');
  expect(lessMemoryOf({ name: COMMAND })).not.toContain('algorithm.');
});
