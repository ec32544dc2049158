import { z } from 'zod';
import { boundedNumber, shapeOfEntries } from '../number-entry.ts';
import { OUTSIDE_PARTNERS } from '../outside-partners.ts';
import { PERTURBATIONS } from '../perturbation-entries.ts';
import { ACTION_BIAS } from '../scripted-partner.ts';
import { SIMULATOR_PART_WORDS } from '../simulator-part-words.ts';
import { type FloorPlan, TERRAIN } from './floor-plan.ts';
import { isSoup, ITEM, ITEM_NAMES } from './items.ts';
import {
  COOKING_MAX,
  layoutEntry,
  PARTNER_NUMBERS,
  REWARDS,
  RULES,
  SCENARIOS,
  SCRIPTED_POLICIES,
  START_OBJECTS_MAX,
} from './parameters.ts';
import { ACTION_COUNT, FACING_NAMES, SEATS } from './state.ts';

type Cook = readonly [row: number, column: number, facing: number, held: number];
type Lying = readonly [row: number, column: number, item: number, cooking: number];

/** One of some names, or its place in their list; a place it becomes. */
function placeIn(names: readonly string[]) {
  return z.union(
    [
      z.enum(names).transform((name) => names.indexOf(name)),
      z
        .int()
        .min(0)
        .max(names.length - 1),
    ],
    {
      error: `Expected one of ${names.join(', ')}, or its number, 0 … ${names.length - 1}`,
    },
  );
}

/** A partner of each scripted policy. `random` has no epsilon, because it would change nothing. */
function partnerSchema() {
  const { epsilon, ...others } = shapeOfEntries(PARTNER_NUMBERS);
  const always = {
    kind: z.literal('scripted'),
    ...others,
    action_bias: z
      .array(boundedNumber(ACTION_BIAS))
      .length(ACTION_COUNT)
      .default(() => new Array<number>(ACTION_COUNT).fill(ACTION_BIAS.default))
      .describe('Weight of each action among the random ones.'),
  };
  const scripted = z.discriminatedUnion('name', [
    z.strictObject({ ...always, name: z.literal('random').describe(SIMULATOR_PART_WORDS.policy) }),
    z.strictObject({
      ...always,
      name: z.enum(SCRIPTED_POLICIES).exclude(['random']).describe(SIMULATOR_PART_WORDS.policy),
      epsilon,
    }),
  ]);
  return z.discriminatedUnion('kind', [scripted, ...OUTSIDE_PARTNERS]);
}

function partnersSchema() {
  const seat = partnerSchema().optional().describe(SIMULATOR_PART_WORDS.partner);
  return z.strictObject(
    { 0: seat, 1: seat },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' ? `There is no seat ${keys.join(', ')}; seats are 0 and 1` : undefined,
    },
  );
}

/** @param objectsMax how much may lie about */
function situationShape(plan: FloorPlan, objectsMax = plan.cellCount) {
  const row = z
    .int()
    .min(0)
    .max(plan.rowCount - 1);
  const column = z
    .int()
    .min(0)
    .max(plan.stride - 1);
  const item = placeIn(ITEM_NAMES);
  return {
    layout: placeIn(plan.names).describe('The layout, by name or number.'),
    players: z
      .array(z.tuple([row, column, placeIn(FACING_NAMES), item]))
      .length(SEATS)
      .describe('Row, column, where it looks (north, south, east, west) and what it carries, of each cook.'),
    objects: z
      .array(z.tuple([row, column, item, z.int().min(0).max(COOKING_MAX)]))
      .max(objectsMax)
      .default([])
      .describe(
        'Row, column, what, and steps that it has been cooking (0: not yet), of what lies on counters or is in pots.',
      ),
  };
}

interface Situation {
  readonly layout: number;
  readonly players: readonly Cook[];
  readonly objects: readonly Lying[];
}

type Complain = (path: (string | number)[], message: string) => void;

/** Cooks stand on floor, each in a cell of its own; things lie where they can. */
function checkSituation(plan: FloorPlan, { layout, players, objects }: Situation, complain: Complain): void {
  const terrainAt = (row: number, column: number) =>
    plan.terrain[layout * plan.cellCount + row * plan.stride + column]!;
  const cellOf = ([row, column]: readonly [number, number, ...number[]]) => `${row} ${column}`;
  const name = plan.names[layout]!;
  players.forEach((cook, seat) => {
    const isOnFloor = terrainAt(cook[0], cook[1]) === TERRAIN.floor;
    if (!isOnFloor) complain(['players', seat], `Row ${cook[0]}, column ${cook[1]} of ${name} is no floor`);
    else if (seat > 0 && cellOf(cook) === cellOf(players[0]!)) complain(['players', seat], 'Another cook stands here');
  });
  objects.forEach((lying, index) => {
    const isTaken = objects.slice(0, index).some((other) => cellOf(other) === cellOf(lying));
    const wrong = isTaken ? 'Something else lies here' : misplaced(lying, terrainAt(lying[0], lying[1]));
    if (wrong !== null) complain(['objects', index], wrong);
  });
}

function misplaced([, , item, cooking]: Lying, terrain: number): string | null {
  if (item === ITEM.nothing) return 'Nothing cannot lie anywhere; leave the entry out';
  if (terrain === TERRAIN.pot) return isSoup(item) ? null : 'A pot holds soups only, finished or not';
  if (terrain !== TERRAIN.counter) return 'Things lie on counters or in pots';
  return cooking === 0 ? null : 'Only what is in a pot cooks; write 0';
}

/** Schema of one simulator; parsing its own output gives the same again. */
export function createSimulatorSchema(plan: FloorPlan, initialLayout: string) {
  const { default: layout, summary } = layoutEntry(plan, initialLayout);
  const start = z
    .strictObject(situationShape(plan, START_OBJECTS_MAX))
    .superRefine((given, context) =>
      checkSituation(plan, given, (path, message) => context.addIssue({ code: 'custom', path, message })),
    );
  return z.strictObject({
    partners: partnersSchema().prefault({}).describe(SIMULATOR_PART_WORDS.partners),
    rules: z.strictObject(shapeOfEntries(RULES)).prefault({}).describe(SIMULATOR_PART_WORDS.rules),
    scenarios: z
      .strictObject({
        layout: placeIn(plan.names).default(layout).describe(summary),
        start: start.optional().describe(`${SIMULATOR_PART_WORDS.start} Its layout takes the place of the other.`),
        ...shapeOfEntries(SCENARIOS),
      })
      .prefault({})
      .describe(SIMULATOR_PART_WORDS.scenarios),
    rewards: z.strictObject(shapeOfEntries(REWARDS)).prefault({}).describe(SIMULATOR_PART_WORDS.rewards),
    perturbations: z
      .strictObject(shapeOfEntries(PERTURBATIONS))
      .prefault({})
      .describe(SIMULATOR_PART_WORDS.perturbations),
  });
}

/** Schema of a start, and of everything `state` tells: enough to go on from the middle of an episode. */
export function createStartSchema(plan: FloorPlan) {
  const joint = z
    .array(
      z
        .int()
        .min(0)
        .max(ACTION_COUNT - 1),
    )
    .length(SEATS);
  return z
    .strictObject({
      ...situationShape(plan),
      soups: z.int().min(0).default(0).describe('Soups of some worth that were served.'),
      step: z.int().min(0).default(0).describe('Steps of the episode that are over.'),
      last_actions: joint.optional().describe('What the seats driven from outside did the step before.'),
      pending_actions: z.array(joint).default([]).describe('Actions given but not yet in effect, the oldest first.'),
    })
    .superRefine((given, context) =>
      checkSituation(plan, given, (path, message) => context.addIssue({ code: 'custom', path, message })),
    );
}

/** Output of `createStartSchema`. */
export type Start = z.output<ReturnType<typeof createStartSchema>>;
