import { CommanderError } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { ERROR_CATALOGUE, type ErrorCode } from '../../schemas/error-catalogue.ts';
import { ThawError } from '../../schemas/errors.ts';
import { EXIT } from './exit-codes.ts';
import { describeError, reportError } from './report-error.ts';

function reported(error: unknown): { code: number; text: string } {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const code = reportError(error);
    return { code, text: write.mock.calls.map(([text]) => String(text)).join('') };
  } finally {
    write.mockRestore();
  }
}

describe('a failure', () => {
  it('of every code tells what happened and what to do, and ends with the exit code of its kind', () => {
    const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
    expect(codes.length).toBeGreaterThan(0);
    for (const name of codes) {
      const { kind, remedy } = ERROR_CATALOGUE[name];
      const { code, text } = reported(new ThawError(name, 'what happened here'));
      expect(code).toBe({ request: EXIT.request, world: EXIT.world, defect: EXIT.defect }[kind]);
      expect(text).toContain('what happened here');
      expect(text).toContain(remedy);
      expect(text).toContain(name);
    }
  });

  it('shows its stack and cause when it is a defect, and only then', () => {
    const cause = new Error('the cause');
    expect(describeError(new ThawError('DEFECT_INVARIANT', 'broken', { cause }))).toContain(
      'caused by Error: the cause',
    );
    expect(describeError(new Error('unforeseen'))).toContain('report-error.test');
    expect(describeError(new ThawError('WORLD_DISK', 'full'))).not.toContain('report-error.test');
    expect(reported(new Error('unforeseen')).code).toBe(EXIT.defect);
  });

  it('of the parser was told already, and is a wrong request unless it was help or version', () => {
    expect(reported(new CommanderError(1, 'commander.unknownOption', 'x'))).toEqual({ code: EXIT.request, text: '' });
    expect(reported(new CommanderError(0, 'commander.helpDisplayed', 'x'))).toEqual({ code: EXIT.done, text: '' });
  });
});
