import type { Family, SeatGroup, SimulatorData, StateFeature, World } from '../contract.ts';
import { type BridgedWorld, BridgedBatch } from './batch.ts';
import type {
  BridgedLayout,
  BridgeSettings,
  DescribedSeat,
  EnvironmentBridge,
  EnvironmentDescription,
} from './bridge.ts';
import { CARDS } from './cards.ts';
import { drawState, viewOf } from './drawing.ts';
import { type BridgedOptions, bridgedOptionsSchema, settingsOf } from './options.ts';
import { compile, createParameters, type KnownRules, SCRIPTED_POLICIES } from './parameters.ts';
import { type BridgedState, createSimulatorSchema, createStartSchema } from './simulator-data.ts';

/** Changes when the same environment can give other numbers through the bridge. */
const BRIDGE_VERSION = '1';
const FEATURE_BINS = 10;
const PROBED_STEPS = 800;

const SUMMARIES: Readonly<Record<BridgeSettings['family'], string>> = {
  pettingzoo: 'Any parallel or turn-based environment of PettingZoo, in a Python process.',
  gymnasium: 'Any environment of Gymnasium as one seat, in a Python process.',
};

/** A family whose worlds are environments of somebody else, reached over a bridge. `environment` of a spec names one. */
export function createBridgedFamily(name: BridgeSettings['family'], bridge: EnvironmentBridge): Family {
  return {
    name,
    version: BRIDGE_VERSION,
    summary: SUMMARIES[name],
    card: CARDS[name],
    optionsSchema: bridgedOptionsSchema(name, bridge),
    placeholder: openDescribed(name, bridge, PLACEHOLDER_OPTIONS, PLACEHOLDER),
    open(given) {
      const options = given as unknown as BridgedOptions;
      return openDescribed(name, bridge, options, bridge.describe(settingsOf(name, options)));
    },
  };
}

/** Of a world that stands for one that cannot be opened. */
const PLACEHOLDER_OPTIONS: BridgedOptions = {
  environment: '',
  arguments: {},
  rules: {},
  wrappers: [],
  cooperative: false,
};
const PLACEHOLDER: EnvironmentDescription = {
  seats: [{ name: 'agent', role: 'agent', observation: 1, actions: { kind: 'discrete', count: 2 } }],
  masked: false,
  episode_steps: 1,
  defaults: {},
  ranges: [[-1, 1]],
  versions: {},
};

function openDescribed(
  family: BridgeSettings['family'],
  bridge: EnvironmentBridge,
  given: BridgedOptions,
  description: EnvironmentDescription,
): World {
  const { seats, masked, versions } = description;
  const rules = knownRules(given, description);
  const options = { ...given, rules, episode_steps: given.episode_steps ?? description.episode_steps! };
  const groups = groupsOf(seats, masked);
  const features = featuresOf(given, description);
  const parameters = createParameters(rules, seats);
  const layout = layoutOf(groups, seats.length, { masked, ruleCount: Object.keys(rules).length });
  const view = viewOf(features, seats.length);
  const world = {
    parameters,
    seats,
    features,
    places: placesOf(groups, seats.length),
    episodeStepsMax: options.episode_steps,
  } satisfies Omit<BridgedWorld, 'layout'>;
  return {
    family,
    version: [BRIDGE_VERSION, ...Object.entries(versions).map(([name, version]) => `${name}-${version}`)].join(' '),
    options,
    seatCount: seats.length,
    groups,
    cooperative: options.cooperative,
    episodeStepsMax: options.episode_steps,
    hasSuccess: false,
    probeEpisodes: probeEpisodes(options.episode_steps),
    features,
    // Which numbers tell where a seat is nobody knows.
    positionFeatures: [],
    parameters,
    scriptedPolicies: SCRIPTED_POLICIES,
    scriptedReference: 'noop',
    simulatorSchema: createSimulatorSchema(rules, seats),
    startSchema: createStartSchema(seats.length * layout.actionSize, options.episode_steps),
    catalogue: { base: { summary: 'The environment as it is.', simulator: {} } },
    compile: (simulator: SimulatorData) => compile(parameters, rules, simulator),
    createBatch: (environmentCount) => {
      const full = { ...layout, environmentCount };
      return new BridgedBatch({ ...world, layout: full }, bridge.open(settingsOf(family, options), full));
    },
    view,
    draw: (state) => drawState(view, state as unknown as BridgedState),
  };
}

/** Fewer than usual: environments in Python make about a thousand steps a second, and `validate` waits for them. */
function probeEpisodes(episodeSteps: number): number {
  return Math.min(128, Math.max(8, Math.floor(PROBED_STEPS / episodeSteps)));
}

/** Rules with the defaults that the environment tells written out. */
function knownRules({ rules }: BridgedOptions, { defaults }: EnvironmentDescription): KnownRules {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, { ...rule, default: rule.default ?? defaults[name]! }]),
  );
}

/** In the order of their first seats. */
function groupsOf(seats: readonly DescribedSeat[], masked: boolean): SeatGroup[] {
  const roles = [...new Set(seats.map(({ role }) => role))];
  return roles.map((role) => {
    const held = [...seats.keys()].filter((seat) => seats[seat]!.role === role);
    const { observation, actions } = seats[held[0]!]!;
    return {
      role,
      seats: held,
      observationSize: observation,
      observation: [{ name: 'observation', offset: 0, length: observation, unit: 'that of the environment' }],
      actions,
      ...(masked ? { masked } : {}),
    };
  });
}

function placesOf(groups: readonly SeatGroup[], seatCount: number): (readonly [number, number])[] {
  return Array.from({ length: seatCount }, (_, seat) => {
    const group = groups.findIndex(({ seats }) => seats.includes(seat));
    return [group, groups[group]!.seats.indexOf(seat)] as const;
  });
}

function layoutOf(
  groups: readonly SeatGroup[],
  seatCount: number,
  rest: Pick<BridgedLayout, 'masked' | 'ruleCount'>,
): Omit<BridgedLayout, 'environmentCount'> {
  const [{ actions }] = groups as [SeatGroup];
  return {
    ...rest,
    seatCount,
    isBox: actions.kind === 'box',
    actionSize: actions.kind === 'box' ? actions.low.length : 1,
    groups: groups.map((group) => ({
      seatCount: group.seats.length,
      observationSize: group.observationSize,
      actionCount: group.actions.kind === 'discrete' ? group.actions.count : 0,
    })),
  };
}

/** Those of the options; else the first two numbers that all see, in the range that random players saw them in. */
function featuresOf(
  { features }: BridgedOptions,
  { ranges }: EnvironmentDescription,
): (StateFeature & { readonly index: number })[] {
  if (features !== undefined) return features;
  return ranges.map(([low, high], index) => ({
    name: `observation_${index}`,
    index,
    low: low < high ? low : low - 1,
    high: low < high ? high : low + 1,
    bins: FEATURE_BINS,
  }));
}
