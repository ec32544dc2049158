import { Command, Option } from 'commander';
import {
  environmentOption,
  examples,
  FAILURE_HELP,
  jsonArgument,
  positiveNumber,
  stateOption,
  wholeNumber,
  withEnvironment,
} from './command-options.ts';
import type { RolloutRequest } from '../rollout/rollout.ts';

interface Options extends Omit<RolloutRequest, 'simulator'> {
  readonly simulator?: string;
  readonly failure?: string;
  readonly environment?: string;
}

/** What a stored failure settles. */
const SETTLED = [
  'simulator',
  'family',
  'environment',
  'options',
  'start',
  'actions',
  'policy',
  'random',
  'seed',
  'episodes',
];

export function rolloutCommand(): Command {
  return new Command('rollout')
    .summary('step one simulator; print every step, or render the episode')
    .description(
      'Steps one simulator and prints a line of JSON for the start and for every step: observations and rewards by ' +
        'seat, and the state. Actions come from a file (a list of steps, each a list of one whole number per seat, or of its box of numbers) or ' +
        'from a policy, or are random; when scripted partners hold every seat, none are needed. With --render an ' +
        'animated SVG is written, and steps are printed only with -o json. A start of simple_spread is {"agents": [[x, y], …], "velocities": [[x, y], …], "landmarks": ' +
        '[[x, y], …]}; velocities may be left out. With --failure a mined failure is played again, from the store alone: ' +
        'its simulator, its start and what everybody did in it; the picture marks its key moment.',
    )
    .option('--family <family>', 'the world', 'simple_spread')
    .option('--simulator <name|file>', 'a built-in simulator, or a file with one as specs write it')
    .option('--options <json>', 'options of the family, e.g. \'{"agents": 2}\'', jsonArgument, {})
    .addOption(environmentOption())
    .option('--start <file>', 'where the episode starts; drawn from the simulator and the seed when left out')
    .option('--actions <file>', 'actions of every step')
    .option('--policy <file>', 'ONNX model of a policy, which takes its most probable action; see `thaw help evaluate`')
    .addOption(stateOption())
    .option('--random', 'the seats that no scripted partner holds act at random', false)
    .option('--seed <number>', 'the episode: the first of an evaluation with this seed', wholeNumber, 0)
    .addOption(
      new Option(
        '--episodes <count>',
        'record the first so many episodes of that evaluation: every line also names its episode and what each seat did, as `thaw import trajectories` reads it',
      )
        .argParser(positiveNumber)
        .conflicts(['start', 'render']),
    )
    .addOption(new Option('--failure <id>', `play ${FAILURE_HELP}, again`).conflicts(SETTLED))
    .option('--render <file>', 'write the episode as an animated SVG, which browsers play')
    .addOption(new Option('-o, --output <format>', 'format of the output').choices(['json']))
    .addHelpText(
      'after',
      examples(
        'thaw rollout --family simple_spread --simulator base --start start.json --actions actions.json -o json',
        'thaw rollout --simulator sim_b --policy results/demo/pool-0.onnx --seed 7 --render episode.svg',
        'thaw rollout --family simple_tag --simulator shaped --random --episodes 100 > recording.jsonl',
        'thaw rollout --family foraging --simulator partner_team --random --render episode.svg',
        'thaw rollout --failure @latest/failure_driven/3:10.2 --render failure.svg',
      ),
    )
    .action(async ({ simulator, failure, environment, ...rest }: Options, command: Command) => {
      const options = { ...rest, options: withEnvironment(rest.options, environment) };
      if (failure !== undefined) {
        const { rolloutFailure } = await import('../rollout/rollout-failure.ts');
        await rolloutFailure({ failure, render: options.render, output: options.output });
        return;
      }
      if (simulator === undefined) command.error('error: name a simulator, by --simulator, or a failure, by --failure');
      const { rollout } = await import('../rollout/rollout.ts');
      await rollout({ ...options, simulator });
    });
}
