import type { ResolvedAlgorithm, ResolvedVariant } from '../schemas/resolved-experiment.ts';

/** A key that came after a version of the format, which its documents could not know of. */
interface LaterKey {
  readonly afterSpecVersion: number;
  /** What results had been before there was the key. */
  readonly default: string | number | boolean | null;
}

type Evaluation = ResolvedVariant['evaluation'];
type Options = ResolvedVariant['family_options'];

/** Algorithm → parameter. An entry stays for ever: without it, results of the time before would be computed again. */
export const LATER_KEYS: Readonly<Record<string, Readonly<Record<string, LaterKey>>>> = {
  ippo: since(1, {
    gradient_grain: null,
    parameter_sharing: 'group',
    observation_normalization: false,
    optimizer: 'adam',
    momentum: 0.9,
    learning_rate_final: 0,
    warmup: 0,
    entropy_coefficient_final: 0,
    entropy_schedule: 'constant',
    value_clip: null,
    reward_normalization: false,
    recurrent: null,
    transfer: null,
    reward: 'own',
  }),
  maddpg: since(1, { reward_normalization: false }),
};

/** Keys that one version of the format lacked. */
function since(afterSpecVersion: number, defaults: Readonly<Record<string, LaterKey['default']>>) {
  return Object.fromEntries(
    Object.entries(defaults).map(([key, value]): [string, LaterKey] => [key, { afterSpecVersion, default: value }]),
  );
}

/** Family → option. As long as an option stands at its default, the worlds are those of the time before there was it. */
export const LATER_OPTIONS: Readonly<Record<string, Readonly<Record<string, LaterKey['default']>>>> = {
  simple_spread: { continuous_actions: false },
  simple_tag: { continuous_actions: false },
};

/** Keys of `evaluation`, in the same way. */
export const LATER_EVALUATION: Readonly<Record<string, LaterKey['default']>> = {
  behaviour_groups: 32,
  reference_episodes: 320,
};

/** The options of a family without those that are newer than some of its results and stand at their default. */
export function withoutLaterOptions(family: string, options: Options): Options {
  const later = Object.hasOwn(LATER_OPTIONS, family) ? LATER_OPTIONS[family]! : {};
  const isMeant = ([key, value]: [string, unknown]): boolean => !Object.hasOwn(later, key) || value !== later[key];
  return Object.fromEntries(Object.entries(options).filter(isMeant));
}

/** How policies are evaluated, without what came after some results and stands at its default. */
export function withoutLaterMeasuring(evaluation: Evaluation): Evaluation {
  const isMeant = ([key, value]: [string, unknown]): boolean =>
    value !== undefined && (!Object.hasOwn(LATER_EVALUATION, key) || value !== LATER_EVALUATION[key]);
  return Object.fromEntries(Object.entries(evaluation).filter(isMeant)) as unknown as Evaluation;
}

/** The parameters without keys that are newer than the document and stand at their default: they are what it always was. */
export function withoutLaterDefaults(algorithm: ResolvedAlgorithm, specVersion: number): ResolvedAlgorithm {
  const later = LATER_KEYS[algorithm.name] ?? {};
  const isKnown = ([key, value]: [string, unknown]): boolean => {
    const entry = Object.hasOwn(later, key) ? later[key] : undefined;
    return entry === undefined || specVersion > entry.afterSpecVersion || value !== entry.default;
  };
  return Object.fromEntries(Object.entries(algorithm).filter(isKnown)) as ResolvedAlgorithm;
}
