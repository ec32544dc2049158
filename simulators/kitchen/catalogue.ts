import type { CatalogueEntry } from '../contract.ts';
import type { DRAWINGS } from './layouts/index.ts';
import type { ScriptedPolicy } from './parameters.ts';

type Data = Readonly<Record<string, unknown>>;

function entry(summary: string, simulator: Data): CatalogueEntry {
  return { summary, simulator };
}

/** The cook on seat 1 is scripted. */
const partner = (name: ScriptedPolicy, numbers: Data = {}) => ({
  partners: { 1: { kind: 'scripted', name, ...numbers } },
});

/** Who cooks on seat 1, by what its simulators are called after. */
const PARTNERS: Readonly<Record<string, readonly [summary: string, simulator: Data]>> = {
  greedy: ['does whatever is due next', partner('greedy')],
  onions: ['fills pots and turns them on, and nothing else', partner('onion_only')],
  plates: ['brings dishes and serves, and nothing else', partner('plate_only')],
  idle: ['stays where it is', partner('stay')],
  random: ['acts at random', partner('random')],
};

/** Kitchens of the paper that have all partners, by what their simulators are called after. */
const LAYOUTS = {
  cramped: 'cramped_room',
  asymmetric: 'asymmetric_advantages',
  ring: 'coordination_ring',
  forced: 'forced_coordination',
  circuit: 'counter_circuit',
} as const satisfies Readonly<Record<string, keyof typeof DRAWINGS>>;

/** In `forced_coordination` seat 1 alone has onions and dishes: without a partner who brings both there is no soup. */
const FORCED_PARTNERS = ['greedy', 'random'];
/** One who stays stands on the only way to the dishes of `coordination_ring`. */
const RING_PARTNERS = ['greedy', 'onions', 'plates', 'random'];
const partnersIn = (short: string): readonly string[] => {
  if (short === 'forced') return FORCED_PARTNERS;
  return short === 'ring' ? RING_PARTNERS : Object.keys(PARTNERS);
};

/** Both learn; in cramped_room that is `base`. */
const together = Object.entries(LAYOUTS).flatMap(([short, layout]): [string, CatalogueEntry][] =>
  short === 'cramped' ? [] : [[`${short}_both`, entry(`Both cooks learn, in ${layout}.`, { scenarios: { layout } })]],
);

const beside = Object.entries(LAYOUTS).flatMap(([short, layout]) =>
  partnersIn(short).map((name): [string, CatalogueEntry] => {
    const [summary, simulator] = PARTNERS[name]!;
    return [`${short}_${name}`, entry(`Seat 1 ${summary}, in ${layout}.`, { ...simulator, scenarios: { layout } })];
  }),
);

/** The built-in simulators. The layout is that of the options unless an entry is about it. */
export const CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  base: entry('The game of the package, in the layout of the options.', {}),
  partner_erratic: entry(
    'Seat 1 does what is due, a third of its actions being random.',
    partner('greedy', { epsilon: 0.33 }),
  ),
  partner_slow: entry('Seat 1 does what is due, staying every other step.', partner('greedy', { speed: 0.5 })),
  partner_late: entry('Seat 1 does what is due after 50 idle steps.', partner('greedy', { lateness: 50 })),
  partner_onions_erratic: entry(
    'Seat 1 fills pots, a third of its actions being random.',
    partner('onion_only', { epsilon: 0.33 }),
  ),
  partner_plates_erratic: entry(
    'Seat 1 serves, a third of its actions being random.',
    partner('plate_only', { epsilon: 0.33 }),
  ),
  sparse: entry('Nothing but soups is rewarded.', { rewards: { shaping: 0 } }),
  own_soups: entry('A soup pays only who serves it.', { rewards: { shared: 0 } }),
  auto_cook: entry('Full pots turn themselves on.', { rules: { auto_cook: 1 } }),
  quick: entry('Soups cook half as long.', { rules: { cook_time: 10 } }),
  slow: entry('Soups cook twice as long.', { rules: { cook_time: 40 } }),
  slippery: entry('One move in five is lost.', { rules: { move_success: 0.8 } }),
  clumsy: entry('Three interactions in ten are lost.', { rules: { interact_success: 0.7 } }),
  small_soups: entry('Soups of one and two onions are ordered, too.', { rewards: { soup_o: 4, soup_oo: 9 } }),
  blinking: entry('Three in ten observations are dropped.', { perturbations: { dropped_observations: 0.3 } }),
  sticky: entry('One action in four repeats the one before.', { perturbations: { sticky_actions: 0.25 } }),
  delayed: entry('Actions take effect one step late.', { perturbations: { action_delay: 1 } }),
  scattered: entry('Cooks start anywhere they can get to.', { scenarios: { start_spread: 20 } }),
  busy: entry('Half of the pots and hands are filled at the start.', {
    scenarios: { pots_filled: 0.5, hands_filled: 0.5 },
  }),
  tomatoes: entry('Three kinds of soup are ordered in counter_circuit_tomato, as there in the package.', {
    scenarios: { layout: 'counter_circuit_tomato' },
    rules: { cook_time: 0, onion_time: 15, tomato_time: 7 },
    rewards: { soup_ooo: 0, soup_ott: 47, soup_oot: 55, soup_ot: 68 },
  }),
  ...Object.fromEntries([...together, ...beside]),
};
