import { InvalidArgumentError, Option } from 'commander';

/** `--set path=value`, as often as wanted. */
export function setOption(
  description = 'change the experiment before it is read, e.g. budget.rounds=10 (JSON values; may be repeated)',
): Option {
  return new Option('--set <path=value>', description)
    .argParser((value: string, previous: readonly string[]) => [...previous, value])
    .default([] as readonly string[], 'nothing');
}

/** `--set path=value`, for verbs that change an experiment that is stored. */
export function changeOption(example: string): Option {
  return setOption(`change what is stored, e.g. ${example} (JSON values; may be repeated)`);
}

/** `-o`, for verbs whose output other programs read. */
export function outputOption<Format extends string>(formats: readonly Format[], initial: Format): Option {
  return new Option('-o, --output <format>', 'format of the output').choices(formats).default(initial);
}

/** `--state IN=OUT`, as often as wanted, for verbs that take policies. */
export function stateOption(): Option {
  return new Option(
    '--state <in=out>',
    'an input of the policy that is a state, and the output that is its next value; may be repeated, and is not needed for ' +
      'NAME and NAME_next (states are 0 where an episode starts)',
  )
    .argParser((value: string, previous: Readonly<Record<string, string>>) => {
      const [from = '', to = '', ...rest] = value.split('=');
      if (from === '' || to === '' || rest.length > 0) {
        throw new InvalidArgumentError('Expected the name of an input and of an output, as in h0=h1.');
      }
      return { ...previous, [from]: to };
    })
    .default({}, 'none');
}

/** What every verb that takes an id says of it. */
export const ID_HELP = 'id or name of an experiment, a unique prefix of its id, or @latest';

/** What verbs that take an experiment or a run say. */
export const TARGET_HELP = `${ID_HELP}; or a run, EXPERIMENT/VARIANT/SEED`;

/** What verbs that take a failure say. */
export const FAILURE_HELP = 'a failure, EXPERIMENT/VARIANT/SEED:ROUND.K';

/** Text below the help of a verb. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}

/** A whole number of at least 0 as an argument. */
export function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

/** A whole number of at least 1 as an argument. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return number;
}

/** JSON as an argument. */
export function jsonArgument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`Expected JSON: ${(error as Error).message}`);
  }
}

/** Which environment of a family that reaches those in Python. */
export function environmentOption(): Option {
  return new Option('--environment <name>', 'an environment of pettingzoo or gymnasium, e.g. CartPole-v1');
}

/** Options of a family with the environment among them, where one is named. */
export function withEnvironment(options: unknown, environment: string | undefined): unknown {
  if (environment === undefined) return options;
  return { ...(options as Readonly<Record<string, unknown>>), environment };
}
