import { z } from 'zod';
import type { ActionSpace, SeatGroup, World } from '../../simulators/contract.ts';

// Letters: N seats, O observation features of a seat.

/** What recordings call an episode. It is stored, and must not be a place for free text. */
const EPISODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A line of a recording: the start of an episode (step 0), or what came of a step. */
export interface RecordedStep {
  /** Null where the file does not name its episodes: then each begins at a step 0. */
  readonly episode: string | null;
  readonly step: number;
  /** What every seat did to get here, null for a seat that did nothing known; null at the start and where it was not recorded. */
  readonly actions: readonly (number | readonly number[] | null)[] | null;
  /** What every seat sees now; null for a seat, or as a whole, where it was not recorded. */
  readonly observations: readonly (readonly number[] | null)[] | null;
  /** Which actions every seat may do now, 1 or 0 each; null for a seat, or as a whole, where it was not recorded. */
  readonly masks: readonly (readonly number[] | null)[] | null;
  readonly rewards: readonly number[] | null;
  /** As `Batch.state` tells it. */
  readonly state: Readonly<Record<string, unknown>> | null;
  readonly ended: boolean;
  readonly truncated: boolean;
}

export const RECORDED_KEYS = [
  'episode',
  'step',
  'actions',
  'observations',
  'masks',
  'rewards',
  'state',
  'ended',
  'truncated',
] as const satisfies readonly (keyof RecordedStep)[];

/** Schema of a line in a world. */
export function recordedStepSchema(world: World): z.ZodType<RecordedStep> {
  const groupOf = (seat: number) => world.groups.find(({ seats }) => seats.includes(seat))!;
  const bySeat = <Value>(of: (seat: number) => z.ZodType<Value>) =>
    z.tuple(Array.from({ length: world.seatCount }, (_, seat) => of(seat)) as [z.ZodType<Value>]);
  return z.strictObject({
    episode: z
      .string()
      .regex(EPISODE, { error: 'Expected letters, digits, ".", "_" and "-", at most 64' })
      .nullable()
      .default(null),
    step: z.int().min(0).max(world.episodeStepsMax),
    actions: bySeat((seat) => actionSchema(groupOf(seat).actions).nullable())
      .nullable()
      .default(null),
    observations: bySeat((seat) => z.array(z.number()).length(groupOf(seat).observationSize).nullable())
      .nullable()
      .default(null),
    masks: bySeat((seat) => maskSchema(groupOf(seat)).nullable())
      .nullable()
      .default(null),
    rewards: z.array(z.number()).length(world.seatCount).nullable().default(null),
    state: (world.startSchema as z.ZodType<Readonly<Record<string, unknown>>>).nullable().default(null),
    ended: z.boolean().default(false),
    truncated: z.boolean().default(false),
  });
}

/** Of a seat: only where actions can be illegal, and then some are legal. */
function maskSchema({ actions, masked }: SeatGroup): z.ZodType<number[]> {
  if (actions.kind !== 'discrete' || masked !== true) {
    return z.array(z.number()).refine(() => false, { error: 'Expected null: no action of this seat is ever illegal' });
  }
  return z
    .array(z.literal([0, 1]))
    .length(actions.count)
    .refine((mask) => mask.includes(1), { error: 'Expected at least one legal action' });
}

/** Of one seat in one step: the index of an action, or the numbers of a box. */
export function actionSchema(space: ActionSpace): z.ZodType<number | number[]> {
  if (space.kind === 'discrete') {
    return z
      .int()
      .min(0)
      .max(space.count - 1);
  }
  return z.tuple(space.low.map((low, index) => z.number().min(low).max(space.high[index]!)) as [z.ZodNumber]);
}
