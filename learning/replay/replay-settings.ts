import { z } from 'zod';

/** Larger priorities are drawn more often, which weights in the loss correct for. */
export interface PrioritySettings {
  readonly alpha: number;
  readonly beta: number;
  readonly beta_final: number;
}

export interface ReplaySettings {
  readonly capacity: number;
  readonly prioritized: PrioritySettings | null;
}

/** What is kept of former blocks, and how it is drawn from. */
export function replaySettings(defaults: { readonly capacity: number }) {
  const share = (initial: number) => z.number().min(0).max(1).default(initial);
  const prioritized = z.strictObject({
    alpha: share(0.6).describe('Power of the error that a transition is drawn in proportion to; 0: all alike.'),
    beta: share(0.4).describe('How far the loss corrects for that at the start; 1: fully.'),
    beta_final: share(1).describe('The same at the end of the run; linear in between.'),
  });
  return z
    .strictObject({
      capacity: z
        .int()
        .min(1)
        .max(10_000_000)
        .default(defaults.capacity)
        .describe('Newest transitions that are kept: one of all seats for each step of an environment.'),
      prioritized: prioritized.nullable().default(null).describe('Null: all transitions are drawn alike.'),
    })
    .prefault({})
    .describe('What is kept of former blocks, and how it is drawn from.');
}
