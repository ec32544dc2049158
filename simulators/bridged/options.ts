import { z } from 'zod';
import { ThawError } from '../../schemas/errors.ts';
import type { BridgeSettings, EnvironmentBridge, EnvironmentRefusal } from './bridge.ts';

const RULES_MAX = 64;
const value = z.union([z.number(), z.string().max(200), z.boolean()]);

const ruleSchema = z.strictObject({
  low: z.number().min(-1e12).max(1e12).optional().describe('Least that it may be.'),
  high: z.number().min(-1e12).max(1e12).optional().describe('Most that it may be.'),
  choices: z.array(value).min(2).max(64).optional().describe('What it may be, in place of `low` and `high`.'),
  default: value.optional().describe('What it is when a simulator does not say; left out, what the environment has.'),
  integer: z.boolean().optional().describe('Whether only whole numbers make sense.'),
  attribute: z
    .string()
    .regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/)
    .optional()
    .describe(
      'What is set of the innermost environment, e.g. "gravity" or "world.damping"; left out, an argument of its name.',
    ),
  unit: z.string().max(40).optional().describe('Its unit.'),
  summary: z.string().max(200).optional().describe('What it is, in a sentence.'),
});

export type RuleOptions = z.output<typeof ruleSchema>;

const wrapperSchema = z.discriminatedUnion('name', [
  z.strictObject({
    name: z
      .literal('discretize')
      .describe('Actions of a box become numbers: every combination of evenly spaced values.'),
    bins: z.int().min(2).max(101).default(3).describe('Values of each number of the box.'),
  }),
  z.strictObject({
    name: z
      .literal('flatten')
      .describe('Observations of other spaces become one row of numbers, as Gymnasium flattens them.'),
  }),
]);

const featureSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z]\w{0,39}$/),
  index: z.int().min(0).max(65_535).describe('Which number of the observation.'),
  low: z.number(),
  high: z.number(),
  bins: z.int().min(2).max(100).default(10),
});

const optionsShape = {
  environment: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'Which environment: a module of PettingZoo, an id of Gymnasium, or package.module:function. The key `environment` of a spec.',
    ),
  arguments: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Arguments it is made with, the same in every simulator.'),
  rules: z
    .record(z.string().regex(/^[A-Za-z_]\w*$/), ruleSchema)
    .default({})
    .describe('What simulators may change of it: arguments, or attributes.'),
  wrappers: z.array(wrapperSchema).max(8).default([]).describe('What is put around it.'),
  episode_steps: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Longest an episode may last; left out, what it says itself.'),
  cooperative: z
    .boolean()
    .default(false)
    .describe('Whether the return of an episode is the sum over all seats, and not the mean over learners.'),
  features: z
    .array(featureSchema)
    .min(1)
    .max(8)
    .optional()
    .describe('Numbers of observations that histograms of visited states are made of; left out, the first two.'),
};

export type BridgedOptions = z.output<z.ZodObject<typeof optionsShape>>;

/** What Python is asked with: not what it need not know. */
export function settingsOf(family: BridgeSettings['family'], options: BridgedOptions): BridgeSettings {
  const names = Object.keys(options.rules).sort();
  return {
    family,
    environment: options.environment,
    arguments: options.arguments,
    wrappers: options.wrappers,
    rules: Object.fromEntries(
      names.map((name) => {
        const { attribute, integer, choices, default: fallback } = options.rules[name]!;
        return [name, { attribute, integer, choices, default: fallback }];
      }),
    ),
  };
}

/**
 * `family_options` of a bridged family. What only the environment itself can tell, as whether it is there, is asked once
 * all else is right.
 */
export function bridgedOptionsSchema(family: BridgeSettings['family'], bridge: EnvironmentBridge) {
  return z.strictObject(optionsShape).superRefine((options, context) => {
    const refusals = Object.entries(options.rules).flatMap(([name, rule]) => ruleRefusals(name, rule));
    refusals.push(...(Object.keys(options.rules).length > RULES_MAX ? [tooManyRules(options)] : []));
    refusals.push(...rangeRefusals(options));
    if (refusals.length === 0) refusals.push(...environmentRefusals(family, options, bridge));
    for (const { key, found, expected, remedy } of refusals) {
      context.addIssue({ code: 'custom', path: key.split('.'), message: expected, params: { found, remedy } });
    }
  });
}

function ruleRefusals(name: string, rule: RuleOptions): EnvironmentRefusal[] {
  const { low, high, choices, default: fallback, integer = false } = rule;
  const key = `rules.${name}`;
  const refuse = (found: string, expected: string, remedy: string): EnvironmentRefusal[] => [
    { key, found, expected, remedy },
  ];
  if (choices !== undefined) {
    if (low !== undefined || high !== undefined) {
      return refuse('a range and choices', 'one of both', 'Remove `low` and `high`, or `choices`.');
    }
    const isKnown = fallback === undefined || choices.includes(fallback);
    return isKnown ? [] : refuse(`the default ${JSON.stringify(fallback)}`, 'one of `choices`', 'Add it to `choices`.');
  }
  if (low === undefined || high === undefined || low >= high) {
    return refuse('no range', '`low`, and `high` above it, or `choices`', 'Say what it may be.');
  }
  if (fallback === undefined) return [];
  const isFitting = typeof fallback === 'number' && (!integer || Number.isInteger(fallback));
  if (isFitting && fallback >= low && fallback <= high) return [];
  const expected = `a ${integer ? 'whole ' : ''}number from ${low} to ${high}`;
  return refuse(`the default ${JSON.stringify(fallback)}`, expected, 'Choose one in its range, or widen the range.');
}

function rangeRefusals({ features = [] }: BridgedOptions): EnvironmentRefusal[] {
  return features.flatMap(({ low, high }, index) =>
    low < high
      ? []
      : [
          {
            key: `features.${index}`,
            found: `the range from ${low} to ${high}`,
            expected: '`low` below `high`',
            remedy: 'Exchange them.',
          },
        ],
  );
}

function tooManyRules({ rules }: BridgedOptions): EnvironmentRefusal {
  const found = `${Object.keys(rules).length} rules`;
  return { key: 'rules', found, expected: `at most ${RULES_MAX}`, remedy: 'Keep those that simulators differ in.' };
}

function environmentRefusals(
  family: BridgeSettings['family'],
  options: BridgedOptions,
  bridge: EnvironmentBridge,
): EnvironmentRefusal[] {
  try {
    const { seats, episode_steps: told, defaults } = bridge.describe(settingsOf(family, options));
    const smallest = Math.min(...seats.map(({ observation }) => observation));
    const beyond = (options.features ?? []).findIndex(({ index }) => index >= smallest);
    return [
      ...(told === null && options.episode_steps === undefined ? [endless(options)] : []),
      ...(beyond < 0 ? [] : [unseen(beyond, smallest)]),
      ...Object.entries(defaults).flatMap(([name, fallback]) =>
        ruleRefusals(name, { ...options.rules[name], default: fallback }),
      ),
    ];
  } catch (error) {
    if (!(error instanceof ThawError) || error.code !== 'REQUEST_ENVIRONMENT_UNUSABLE') throw error;
    return [error.details as unknown as EnvironmentRefusal];
  }
}

function endless({ environment }: BridgedOptions): EnvironmentRefusal {
  return {
    key: 'episode_steps',
    found: `nothing, and ${environment} does not say how long an episode may last`,
    expected: 'the longest an episode may last, in steps',
    remedy: 'Add family_options.episode_steps.',
  };
}

function unseen(feature: number, count: number): EnvironmentRefusal {
  return {
    key: `features.${feature}.index`,
    found: 'a number that some seat does not see',
    expected: `from 0 to ${count - 1}`,
    remedy: 'Choose numbers that all seats see.',
  };
}
