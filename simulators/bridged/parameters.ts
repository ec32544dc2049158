import type { Parameter, SimulatorData } from '../contract.ts';
import {
  compileParameters,
  describeEntries,
  describeEntry,
  type NumberEntries,
  type NumberEntry,
} from '../number-entry.ts';
import { partnerChoices } from '../scripted-partner.ts';
import type { DescribedSeat, RuleValue } from './bridge.ts';
import type { RuleOptions } from './options.ts';

export const PERTURBATIONS = {
  observation_noise: {
    default: 0,
    low: 0,
    high: 1e6,
    unit: 'that of the observation',
    summary: 'Standard deviation of the normal noise on every number that is seen.',
  },
  sticky_actions: {
    default: 0,
    low: 0,
    high: 1,
    unit: '1',
    summary: 'Probability that a seat driven from outside repeats what it did the step before.',
  },
} as const satisfies NumberEntries;

export const START_SEED_PATH = 'scenarios.start.seed';

/** Of `scenarios.start.seed`: each episode has a seed of its own. */
export const SEED_DRAWN = -1;

export const START_SEED: NumberEntry = {
  default: SEED_DRAWN,
  low: SEED_DRAWN,
  high: 2 ** 31 - 1,
  unit: '1',
  integer: true,
  summary: 'Seed that every episode is reset with; −1 for one that follows from the episode.',
};

export const EPSILON: NumberEntry = {
  default: 0,
  low: 0,
  high: 1,
  unit: '1',
  summary: 'Probability of a random action instead.',
};

/** The order gives the number that stands for a name in the parameter vector. */
export const SCRIPTED_POLICIES = ['noop', 'random', 'constant'] as const;
export const PARTNER_CHOICES = partnerChoices(SCRIPTED_POLICIES);

/** What `constant` does: the number of an action, or how far from the low to the high side of a box. */
export function constantAction({ actions }: Pick<DescribedSeat, 'actions'>): NumberEntry {
  const summary = 'What `constant` does: the number of an action; of a box, how far from its low to its high side.';
  if (actions.kind === 'box') return { default: 0.5, low: 0, high: 1, unit: '1', summary };
  return { default: 0, low: 0, high: actions.count - 1, unit: '1', integer: true, summary };
}

/** A rule whose default is known. */
export interface KnownRule extends RuleOptions {
  readonly default: RuleValue;
}

export type KnownRules = Readonly<Record<string, KnownRule>>;

/** Names of rules in the order in which the other side is told of them. */
export const ruleNames = (rules: KnownRules): string[] => Object.keys(rules).sort();

function describeRule(name: string, rule: KnownRule): Parameter {
  const { choices, unit = '1', summary = `The ${rule.attribute ?? `argument ${name}`} of the environment.` } = rule;
  const path = `rules.${name}`;
  if (choices === undefined) {
    const kind = rule.integer === true ? 'integer' : 'real';
    return { path, kind, low: rule.low!, high: rule.high!, unit, summary };
  }
  return { path, kind: 'choice', low: 0, high: choices.length - 1, unit, summary, choices: choices.map(String) };
}

function describePartner(seat: DescribedSeat, index: number): Parameter[] {
  const name: Parameter = {
    path: `partners.${index}.name`,
    kind: 'choice',
    low: 0,
    high: PARTNER_CHOICES.length - 1,
    unit: '1',
    summary: 'Who holds the seat.',
    choices: PARTNER_CHOICES,
  };
  const action = describeEntry(`partners.${index}.action`, constantAction(seat));
  return [name, action, describeEntry(`partners.${index}.epsilon`, EPSILON)];
}

/** Every number of a simulator, in the order of the parameter vector: rules first. */
export function createParameters(rules: KnownRules, seats: readonly DescribedSeat[]): readonly Parameter[] {
  return [
    ...ruleNames(rules).map((name) => describeRule(name, rules[name]!)),
    ...describeEntries('perturbations', PERTURBATIONS),
    describeEntry(START_SEED_PATH, START_SEED),
    ...seats.flatMap(describePartner),
  ];
}

/** @returns shape [P] */
export function compile(parameters: readonly Parameter[], rules: KnownRules, simulator: SimulatorData): Float64Array {
  const vector = compileParameters(parameters, simulator, (path) => (path === START_SEED_PATH ? SEED_DRAWN : 0));
  // A choice may be among numbers, which stand for themselves in a simulator and for their place here.
  ruleNames(rules).forEach((name, index) => {
    const { choices } = rules[name]!;
    if (choices !== undefined) vector[index] = Math.max(0, choices.indexOf(simulator.rules[name] as RuleValue));
  });
  return vector;
}
