import { Command, InvalidArgumentError } from 'commander';
import { examples, outputOption, positiveNumber, stateOption, wholeNumber } from './command-options.ts';
import type { PolicyArgument } from '../evaluate/seat-policies.ts';
import type { ListingFormat } from '../table-formats/listing.ts';

interface Options {
  readonly policy: readonly PolicyArgument[];
  readonly panel: string;
  readonly variant?: string;
  readonly state: Readonly<Record<string, string>>;
  readonly episodes?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly output: ListingFormat;
}

export function evaluateCommand(): Command {
  return new Command('evaluate')
    .summary('judge a policy trained anywhere: table, perturbation curve, verdict')
    .description(
      'Plays ONNX policies in every simulator of some panels, as the last policy of a run is played at its end, and prints ' +
        'their returns beside those of chance, how much is lost on what was held out, with 95 % intervals over episodes, the ' +
        'verdict, and what they lose when a rule is scaled or another partner is there. No service is started. A file of ' +
        'panels has the keys family, family_options, learners, simulators, panels, evaluation and verdict of an experiment; ' +
        'an experiment itself will do. Policies may take one input of any name, with or without the one-hot of the seat, ' +
        'an action_mask, and states; and give logits, the index of an action, or of a box mean and log_std, or action.',
    )
    .requiredOption(
      '--policy <file>',
      'ONNX policy for the seats that it fits, or ROLE=FILE; one for each role that no partner plays',
      policyArgument,
    )
    .requiredOption('--panel <file>', 'file of panels, or an experiment')
    .option('--variant <name>', "whose panels, where an experiment's variants have others")
    .addOption(stateOption())
    .option('--episodes <n>', 'episodes of each simulator (default: evaluation.final_episodes, 320)', positiveNumber)
    .option('--seed <n>', 'names the episodes (default: evaluation.seed, 0)', wholeNumber)
    .option('--out <folder>', 'write results.json, results.csv, episodes.csv and sensitivity.csv into it')
    .addOption(outputOption(['table', 'json', 'csv'], 'table'))
    .addHelpText(
      'after',
      examples(
        'thaw evaluate --policy policy.onnx --panel experiments/panels/spread.json',
        'thaw evaluate --policy adversary=chase.onnx --policy agent=flee.onnx --panel panels.json --out results/judged',
        'thaw evaluate --policy lstm.onnx --state h0=h1 --state c0=c1 --panel panels.json --episodes 50 -o json',
        'thaw evaluate --policy results/demo/policies/pool-0-0.onnx --panel experiments/demo.json',
      ),
    )
    .action(async ({ policy, state, output, ...request }: Options) => {
      const { showEvaluation } = await import('../evaluate/show-evaluation.ts');
      const { out } = request;
      process.exitCode = await showEvaluation({ ...request, policies: policy, states: state, out, format: output });
    });
}

/** A file, or `ROLE=FILE`: a path with an equals sign in it is one where something else stands before that. */
function policyArgument(text: string, previous: readonly PolicyArgument[] = []): readonly PolicyArgument[] {
  const match = /^([A-Za-z][A-Za-z0-9_-]*)=(.+)$/.exec(text);
  if (text === '') throw new InvalidArgumentError('Expected a file.');
  return [...previous, match === null ? { role: null, file: text } : { role: match[1]!, file: match[2]! }];
}
