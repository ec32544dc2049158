import { z } from 'zod';

/** Options of the strategies that decide anew after every so many rounds. */
export interface EveryRoundsOptions {
  readonly every_rounds: number;
}

/** Schema of `every_rounds`. @param usual its default @param description of what happens so often */
export function everyRounds(usual: number, description: string): z.ZodDefault<z.ZodInt> {
  return z.int().min(1).max(10_000).default(usual).describe(description);
}

/** Whether as many rounds are completed as lie between two decisions, or a multiple of it. */
export function isDueEveryRounds({ every_rounds }: EveryRoundsOptions, roundIndex: number): boolean {
  return roundIndex % every_rounds === 0;
}
