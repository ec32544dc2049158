import { describe, expect, it } from 'vitest';
import { ThawError } from '../../schemas/errors.ts';
import { errorAsData, errorFromData } from './child-error.ts';

describe('an error on its way between processes', () => {
  it('keeps its code, kind, message and stack', () => {
    const error = new ThawError('WORLD_DISK', 'no room');
    expect(errorAsData(error)).toEqual({ code: 'WORLD_DISK', kind: 'world', message: 'no room', stack: error.stack });
    expect(errorFromData(errorAsData(error))).toMatchObject({
      code: 'WORLD_DISK',
      message: 'no room',
      stack: error.stack,
    });
  });

  it.each([new ThawError('WORLD_DISK', `begin ${'x'.repeat(1e6)} end`), new Error(`begin ${'x'.repeat(1e6)} end`)])(
    'is bounded, and both its ends are kept',
    (error) => {
      const { message, stack } = errorAsData(error);
      expect(message).toMatch(/begin x.* characters left out .*x end$/s);
      expect(message.length).toBeLessThan(2_100);
      expect(stack!.length).toBeLessThan(8_100);
    },
  );
});
