import { describe, expect, it } from 'vitest';
import { createProgram } from '../program.ts';
import { COMMANDS } from './index.ts';

const HIDDEN = 'supervisor';
const program = createProgram();

describe('every verb', () => {
  it('is there once', () => {
    const names = COMMANDS.map((create) => create().name());
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(program.commands.map((command) => command.name()));
  });

  it('has a summary, a description and an example of itself', () => {
    const visible = program.commands.filter((command) => command.name() !== HIDDEN);
    expect(visible.length).toBe(COMMANDS.length - 1);
    for (const command of visible) {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      expect(command.summary(), command.name()).not.toBe('');
      expect(help, command.name()).toContain(command.description().slice(0, 20));
      expect(help, command.name()).toContain(`$ thaw ${command.name()}`);
    }
  });

  it('shows in the help of the program, except for what only Thaw itself calls', () => {
    const help = program.helpInformation();
    for (const command of program.commands) {
      expect(help.includes(`\n  ${command.name()}`), command.name()).toBe(command.name() !== HIDDEN);
    }
  });

  it('that does not exist is refused with the nearest one', async () => {
    let told = '';
    const strict = createProgram().configureOutput({ writeErr: (text) => (told += text) });
    await expect(strict.parseAsync(['valdate'], { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
    expect(told).toContain('validate');
  });
});
