/**
 * Which weights of a run its scores are of: the last ones, those that were best on validation, or those after a number of
 * completed rounds.
 */
export type RoundChoice = 'last' | 'best' | number;

/** As people read it. */
export function roundChoiceText(round: RoundChoice): string {
  if (round === 'last') return 'Last checkpoint';
  if (round === 'best') return 'Checkpoint that was best on validation';
  return `Checkpoint after ${round} completed round${round === 1 ? '' : 's'}, as evaluated on the way`;
}
