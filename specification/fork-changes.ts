import { behaviourEpisodes } from '../learning/measures/behaviour-episodes.ts';
import type { ResolvedVariant } from '../schemas/resolved-experiment.ts';
import { differences, type Difference } from './differences.ts';
import { withoutLaterMeasuring } from './later-keys.ts';
import type { Registries } from './registries.ts';

/**
 * Parameters of algorithms that say what the networks in a checkpoint are, what their weights and moments mean, and what the
 * transitions beside them were worth. All others say how networks are improved from now on.
 */
export const CHECKPOINT_PARAMETERS: readonly string[] = [
  ...[
    'name',
    'hidden_sizes',
    'activation',
    'parameter_sharing',
    'seat_identity',
    'recurrent',
    'mixing_size',
    'transfer',
  ],
  ...['observation_normalization', 'reward_normalization', 'value_normalization', 'optimizer', 'replay', 'n_step'],
  'reward',
];

/** What stays to be said of a later part of a run: how long it takes, and how it is looked at. */
const OPEN_KEYS: readonly string[] = ['budget', 'evaluation', 'verdict', 'diversity'];

/**
 * What of a variant differs that its first rounds depend on, so that a run cannot go on from them: the world, who
 * learns, the networks, the strategy with all that it has seen, and what it has trained on. The panels that it is measured
 * on may change, unless the strategy looks at validation.
 */
export function refusedForkChanges(
  before: ResolvedVariant,
  after: ResolvedVariant,
  { strategies }: Pick<Registries, 'strategies'>,
): Difference[] {
  const looksAtValidation = usesValidation(before, strategies) || usesValidation(after, strategies);
  const measured = [...new Set([...measuredNames(before), ...measuredNames(after)])];
  const mayChange = ({ path: [key, name] }: Difference): boolean => {
    if (OPEN_KEYS.includes(String(key))) return true;
    if (key === 'algorithm') return !CHECKPOINT_PARAMETERS.includes(String(name));
    if (key === 'panels') return name === 'test' || (name === 'validation' && !looksAtValidation);
    if (key !== 'simulators') return false;
    // Their content counts where they are looked at, and there as the panel does.
    const isValidation = [before, after].some(({ panels }) => panels.validation.includes(String(name)));
    return measured.includes(String(name)) && !(isValidation && looksAtValidation);
  };
  return differences(before, after).filter((difference) => !mayChange(difference));
}

/** Whether evaluations before the fork are what the fork itself would have measured. */
export function keepsEvaluations(before: ResolvedVariant, after: ResolvedVariant): boolean {
  return differences(measurement(before), measurement(after)).length === 0;
}

function measurement({ evaluation, panels, simulators, verdict }: ResolvedVariant) {
  const { episodes, reference_episodes: chance = null, policy_mode, seed } = withoutLaterMeasuring(evaluation);
  const behaviour = behaviourEpisodes(evaluation);
  const { validation, test } = panels;
  const contents = [...validation, ...test].map((name) => [name, simulators[name]] as const);
  return {
    evaluation: { episodes, policy_mode, seed, behaviour, chance },
    validation,
    test,
    simulators: Object.fromEntries(contents),
    verdict,
  };
}

/** Simulators that nothing trains on. */
function measuredNames({ panels }: ResolvedVariant): readonly string[] {
  return [...panels.validation, ...panels.test];
}

function usesValidation({ strategy: options, budget }: ResolvedVariant, strategies: Registries['strategies']): boolean {
  const strategy = strategies[options.kind]!;
  const needs = strategy.needs(options);
  const rounds = Array.from({ length: budget.rounds }, (_, round) => round);
  return (
    needs.includes('validation_returns') ||
    needs.includes('validation_panel') ||
    rounds.some((round) => strategy.isDue(options, round) && strategy.mining(options, round) !== null)
  );
}
