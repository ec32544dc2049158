import type { Difference, Value } from '../../learning/diagnosis/first-difference.ts';
import { pluralText } from '../../web/documents/quantity-text.ts';

/** What came of playing one round again. */
export interface Reproduction {
  /** The run whose rows were compared; of a SKIPPED run the one that it is equal to. */
  readonly runId: string;
  /** Counted from 1. */
  readonly round: number;
  /** How many cells were compared, up to the first that differs. */
  readonly compared: number;
  readonly difference: Difference | null;
  /** Parts of the machine's fingerprint that are others than when the round was trained. */
  readonly machineChanges: readonly MachineChange[];
}

export interface MachineChange {
  readonly part: string;
  /** Null: not known. */
  readonly then: string | null;
  readonly now: string | null;
}

/** In one sentence or two: whether a round gives the same rows again, and if not where they begin to differ. */
export function reproductionText({ runId, round, compared, difference, machineChanges }: Reproduction): string {
  const what = `round ${round} of ${runId}`;
  const sentence =
    difference === null
      ? `${what}: the round gives the same rows again (${pluralText(compared, 'value')} compared).`
      : `${what}: the rows differ, first in ${differenceText(difference)} (${pluralText(compared, 'value')} before it equal).`;
  return [sentence, ...machineText(machineChanges)].join(' ');
}

function differenceText({ table, key, column, stored, replayed }: Difference): string {
  const place = [table, key, column].filter((part) => part !== '').join(' / ');
  return `${place}: stored ${valueText(stored)}, now ${valueText(replayed)}`;
}

/** Every digit, for the first that differs may be the last. */
function valueText(value: Value | undefined): string {
  if (value === undefined) return 'nothing';
  return Object.is(value, -0) ? '-0' : String(value);
}

function machineText(changes: readonly MachineChange[]): string[] {
  if (changes.length === 0) return [];
  const parts = changes.map(({ part, then, now }) => `${part} ${then ?? 'unknown'} then, ${now ?? 'unknown'} now`);
  return [
    `This machine is not like the one that trained it (${parts.join('; ')}); equal bits are promised only between equal ones.`,
  ];
}
