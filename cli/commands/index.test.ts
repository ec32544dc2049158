import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../program.ts';
import { OTHER_VERBS } from './verb-groups.ts';
import { COMMANDS } from './index.ts';

const HIDDEN = 'supervisor';
const program = createProgram();
const visible = program.commands.filter((command) => command.name() !== HIDDEN);

/** Every command with those inside it, by what one types to call it. */
function commandsBelow(command: Command, called: string): [string, Command][] {
  const inner = command.commands.map((each): [string, Command] => [`${called} ${each.name()}`, each]);
  return inner.flatMap(([name, each]) => [[name, each] as [string, Command], ...commandsBelow(each, name)]);
}

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return help;
}

/** Examples in a help text: what is typed after the sign of the shell. */
function examplesIn(help: string): string[] {
  return [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line]) => line!);
}

/** The commands of a line of a shell, each as its words; what is not Thaw's is left out. */
function thawCallsIn(line: string): string[][] {
  const commands = line.split(/&&|\||;/).map((command) =>
    command
      .replace(/[<>].*$/, '')
      .trim()
      .replace(/^(\w+=(\$\([^)]*\)|\S+) )+/, ''),
  );
  const words = commands.map((command) => [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]);
  const calls = words.map((matches) => matches.map(([, single, double, plain]) => single ?? double ?? plain!));
  return calls.filter(([first]) => first === 'thaw').map(([, ...args]) => args);
}

/** The program with nothing behind its verbs: only what was typed is looked at. */
function programOfWords(): Command {
  const parser = createProgram();
  for (const [, command] of commandsBelow(parser, 'thaw')) command.action(() => undefined);
  return parser.configureOutput({ writeErr: () => undefined });
}

describe('every verb', () => {
  it('is there once', () => {
    const names = [...COMMANDS.map((create) => create().name()), 'completion', 'help'];
    expect(new Set(names).size).toBe(names.length);
    expect(program.commands.map((command) => command.name()).sort()).toEqual(names.sort());
  });

  it('shows in the help of the program under what people do, except for what only Thaw itself calls', () => {
    const help = helpOf(createProgram());
    expect(help).not.toContain(OTHER_VERBS);
    for (const command of program.commands) {
      expect(help.includes(`\n  ${command.name()}`), command.name()).toBe(command.name() !== HIDDEN);
    }
  });

  it('that does not exist is refused with the nearest one, by itself and in help', async () => {
    for (const args of [['valdate'], ['help', 'valdate'], ['help', 'simulators', 'retruns']]) {
      let told = '';
      const strict = createProgram().configureOutput({ writeErr: (text) => (told += text) });
      for (const [, command] of commandsBelow(strict, 'thaw'))
        command.configureOutput({ writeErr: (text) => (told += text) });
      await expect(strict.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 });
      expect(told).toMatch(/validate|returns/);
    }
  });

  it('refuses an option that it does not have with the nearest one', async () => {
    let told = '';
    const strict = createProgram();
    for (const [, command] of commandsBelow(strict, 'thaw'))
      command.configureOutput({ writeErr: (text) => (told += text) });
    await expect(strict.parseAsync(['results', '@latest', '--metrik', 'x'], { from: 'user' })).rejects.toThrow();
    expect(told).toContain('--metric');
  });
});

describe.each(commandsBelow(program, 'thaw').filter(([, command]) => command.name() !== HIDDEN))(
  '%s',
  (called, command) => {
    const lines = examplesIn(helpOf(command));

    it('says in a line and in sentences what it does, and of every option and argument what it is', () => {
      expect(command.summary().length).toBeGreaterThan(10);
      expect(command.summary()).not.toMatch(/\n|\.$/);
      expect(command.description()).toMatch(/^[A-Z].*\.$/s);
      for (const { flags, description } of command.options) expect([flags, description]).not.toEqual([flags, '']);
      for (const argument of command.registeredArguments) {
        expect([argument.name(), argument.description]).not.toEqual([argument.name(), '']);
      }
    });

    it('has an example of itself, and all its examples are understood', async () => {
      const calls = lines.flatMap(thawCallsIn);
      expect(calls.length).toBeGreaterThanOrEqual(lines.length);
      expect(calls.some((args) => `thaw ${args.join(' ')} `.startsWith(`${called} `))).toBe(true);
      for (const args of calls) {
        await expect(programOfWords().parseAsync(args, { from: 'user' }), args.join(' ')).resolves.toBeDefined();
      }
    });
  },
);

it('every example of the program itself is understood', async () => {
  const calls = examplesIn(helpOf(createProgram())).flatMap(thawCallsIn);
  expect(calls.length).toBeGreaterThan(1);
  expect(visible.length).toBeGreaterThan(20);
  for (const args of calls) {
    const parser = programOfWords();
    await expect(parser.parseAsync(args, { from: 'user' }), args.join(' ')).resolves.toBeDefined();
  }
});
