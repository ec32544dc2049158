import { z } from 'zod';
import { type Schedule, scheduledValue } from '../../optimization/schedule.ts';

/** A number that moves over a run. */
export interface ScheduleSettings {
  readonly initial: number;
  readonly final: number;
  readonly schedule: Schedule['shape'];
  readonly over: number;
}

/** @param value what the number may be @param meaning of it at the start, as the end of a sentence */
export function scheduleSettings(
  value: z.ZodType<number>,
  meaning: string,
  defaults: Pick<ScheduleSettings, 'initial' | 'final'> & Partial<Pick<ScheduleSettings, 'over'>>,
) {
  return z
    .strictObject({
      initial: value.default(defaults.initial).describe(`${meaning}, at the start.`),
      final: value.default(defaults.final).describe('The same in the end.'),
      schedule: z.enum(['constant', 'linear', 'cosine']).default('linear').describe('How it goes there.'),
      over: z
        .number()
        .positive()
        .max(1)
        .default(defaults.over ?? 1)
        .describe('Share of the run in which it gets there.'),
    })
    .prefault({})
    .describe(`${meaning}.`);
}

/** @param progress share of the run that is done, 0 … 1 */
export function settingAt({ initial, final, schedule, over }: ScheduleSettings, progress: number): number {
  return scheduledValue({ shape: schedule, initial, final, warmup: 0 }, progress / over);
}
