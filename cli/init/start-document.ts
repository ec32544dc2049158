import type { Comments } from './commented-json.ts';
import type { FamilyStart } from './family-start.ts';

/** What of an experiment is asked for. */
export interface StartChoices {
  readonly name: string;
  readonly family: string;
  /** Kinds of strategies, each of which becomes a variant. */
  readonly compare: readonly string[];
  readonly seedCount: number;
  readonly envSteps: number;
}

interface OfferedStrategy {
  /** What it does, in a line. */
  readonly does: string;
  readonly strategy: (start: FamilyStart) => Readonly<Record<string, unknown>>;
}

/** Strategies that a start can compare; any other is a variant that is written by hand. */
export const OFFERED_STRATEGIES: Readonly<Record<string, OfferedStrategy>> = {
  frozen: {
    does: 'trains in one simulator that never changes: the baseline',
    strategy: ({ panels }) => ({ kind: 'frozen', simulator: panels.train[0] }),
  },
  domain_randomization: {
    does: 'trains in the same one, with its numbers drawn anew for every episode',
    strategy: ({ panels }) => ({ kind: 'domain_randomization', simulator: panels.train[0] }),
  },
  pool: {
    does: 'trains in all simulators of the train panel',
    strategy: ({ panels }) => ({ kind: 'pool', size: panels.train.length }),
  },
  adaptive: {
    does: 'draws new simulators, and plays those again from which most can be learnt',
    strategy: () => ({ kind: 'adaptive' }),
  },
  failure_driven: {
    does: 'makes new simulators of the episodes that failed on the validation panel',
    strategy: ({ panels }) => ({ kind: 'failure_driven', size: panels.train.length * 2 }),
  },
};

export const DEFAULT_COMPARED: readonly string[] = ['frozen', 'domain_randomization', 'pool'];

export interface StartDocument {
  readonly document: Readonly<Record<string, unknown>>;
  readonly comments: Comments;
}

/** The spec of a first experiment with a comment for what a newcomer is likely to change. @param schema where editors find it */
export function startDocument(choices: StartChoices, start: FamilyStart, schema: string): StartDocument {
  const { name, family, compare, seedCount, envSteps } = choices;
  const offered = compare.map((kind) => [kind, OFFERED_STRATEGIES[kind]!] as const);
  const document = {
    $schema: schema,
    name,
    description: start.question,
    family,
    family_options: start.familyOptions,
    ...(start.learners !== undefined && { learners: start.learners }),
    simulators: start.simulators,
    panels: start.panels,
    randomization: start.randomization,
    algorithm: { name: 'ippo' },
    variants: Object.fromEntries(
      offered.map(([kind, { strategy }]): [string, unknown] => [kind, { strategy: strategy(start) }]),
    ),
    seeds: { first: 0, count: seedCount },
    budget: { env_steps: envSteps, rounds: 20 },
    evaluation: { every_rounds: 10, episodes: 50, final_episodes: 320, policy_mode: start.policyMode },
    execution: { max_concurrent_runs: 2 },
  };
  const variants = offered.map(([kind, { does }]): [string, string] => [`variants.${kind}`, sentence(does)]);
  return { document, comments: { ...commentsOf(choices, start), ...Object.fromEntries(variants) } };
}

function commentsOf({ family, seedCount }: StartChoices, start: FamilyStart): Comments {
  return {
    $schema: 'With this line, editors complete keys and underline mistakes. On the command line: thaw explain KEY.',
    name: 'Names the experiment, and its folder of results. Everything is compared within one file like this.',
    family: `The world. \`thaw simulators --family ${family}\` lists its built-in simulators.`,
    learners: 'Seats whose policies are trained. Whoever sits on the others is part of the simulator.',
    simulators: start.simulatorsComment,
    panels: 'Which simulators are for what. No simulator stands in two panels.',
    'panels.train': 'Runs train on these.',
    'panels.validation': 'Never trained on. The best checkpoint is chosen here.',
    'panels.test': 'Never trained on and never chosen on. The held-out return of the table is measured here.',
    randomization: 'Ranges [low, high] of numbers of simulators. Only strategies that draw use them.',
    algorithm: 'How policies learn. `thaw explain algorithm` has the parameters.',
    variants: 'The settings to compare. What stands in a variant replaces what stands outside for that variant.',
    seeds: `Every variant is trained with ${seedCount} ${seedCount === 1 ? 'seed' : 'seeds'}. Below five no interval is printed; papers want ten.`,
    budget: 'How long a run trains. A round is what is done again when something dies.',
    evaluation: 'Policies are evaluated after every so many rounds, and with more episodes at the end.',
    execution: 'Runs at the same time on a worker. It changes no result; 2 suits a laptop.',
  };
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
