import type { Column } from '../../learning/results/column.ts';
import type { ListedFailure, MadeSimulator, StoredFailure } from '../../infra/postgres/failure-rows.ts';
import { failureName } from '../../learning/failures/contract.ts';
import type { StateFeature } from '../../simulators/contract.ts';
import { watchCommand } from './failures-text.ts';
import { failureId } from '../../web/replay/failure-id.ts';
import { listingText } from '../table-formats/listing.ts';
import { measureText, pluralText } from '../../web/documents/quantity-text.ts';

// T steps, N seats, F features of a seat.

/** One failure with all that is told of it. */
export interface ShownFailure {
  readonly failure: StoredFailure;
  /** Every failure of the same mining. */
  readonly mining: readonly ListedFailure[];
  readonly made: readonly MadeSimulator[];
  /** Shape [F]: names of what is known of a seat. */
  readonly features: readonly Pick<StateFeature, 'name'>[];
}

/** One failure in words: what happened, its key moment, its group, what was made of it, and how to watch it. */
export function failureText(shown: ShownFailure): string {
  const { failure } = shown;
  return [
    `${failureId(failure)}\n${occasionText(failure)}`,
    [returnLine(failure), momentLine(failure), ...featureLines(shown), groupLine(shown), madeLine(failure)].join('\n'),
    ...(shown.made.length === 0 ? [] : [listingText(MADE_TABLE, shown.made, 'table')]),
    `Watch it:  ${watchCommand(failure)}`,
  ].join('\n\n');
}

function occasionText({ round, episode, mined, name, simulatorHash }: ListedFailure): string {
  const simulator = `the validation simulator ${name} (${simulatorHash.slice(0, 8)})`;
  return `After ${pluralText(round, 'round')}, episode ${episode + 1} of ${mined.episodes} mined on ${simulator} went badly.`;
}

function returnLine(failure: ListedFailure): string {
  const { returnMean, randomMean, knownMean, knownBy } = failure.mined;
  return entry('return', [
    `${measureText(failure.return)}, where chance gets ${measureText(randomMean)}, the best known policy (${knownBy}) ${measureText(knownMean)}`,
    `and the run's policy ${measureText(returnMean)} on average; score ${measureText(failure.score)}, 0 as chance, 1 as the best known`,
  ]);
}

function momentLine({ keyMoment, stepCount, hasCritic, values }: StoredFailure): string {
  if (!hasCritic) return entry('key moment', NO_CRITIC);
  const [before, after] = [values[keyMoment]!, values[keyMoment + 1]!].map(measureText);
  return entry('key moment', [
    `step ${keyMoment} of ${stepCount}: the value that the critic expects went from ${before} to ${after}`,
  ]);
}

/** A trainer of somebody else gives a policy and no critic. */
const NO_CRITIC = [
  'not known: no critic says what was expected of the states, and so not where it went wrong;',
  'the first step stands for it, in the features and for what was made of the failure',
];

/** What stood near at the key moment, a line for each seat. */
function featureLines({ failure, features }: ShownFailure): string[] {
  const numbers = failure.features.map(measureText);
  const size = features.length;
  // Whatever else a failure may be described by is listed as it is.
  if (size === 0 || numbers.length % size !== 0) return [entry('features', [numbers.join(', ')])];
  const seats = Array.from({ length: numbers.length / size }, (_, seat) => {
    const told = features.map(({ name }, index) => `${name} ${numbers[seat * size + index]!}`);
    return `seat ${seat}: ${told.join(', ')}`;
  });
  return [entry('features', seats)];
}

function groupLine({ failure, mining }: ShownFailure): string {
  const alike = mining.filter(({ group, index }) => group === failure.group && index !== failure.index);
  const medoid = alike.find(({ isMedoid }) => isMedoid);
  const nameOf = ({ round, index }: ListedFailure): string => failureName(round, index);
  const others = alike.length === 0 ? 'alone in it' : `with ${alike.map(nameOf).join(', ')}`;
  const stands = failure.isMedoid ? '; it stands for the group' : medoid && `; ${nameOf(medoid)} stands for the group`;
  return entry('group', [`${failure.group}, ${others}${stands ?? ''}`]);
}

function madeLine({ candidateCount, admittedCount }: ListedFailure): string {
  const made = pluralText(candidateCount, 'simulator');
  return entry('made of it', [candidateCount === 0 ? 'nothing' : `${made}, of which ${admittedCount} entered a pool`]);
}

/** A term with what there is to say of it, the lines below each other. */
function entry(term: string, lines: readonly string[]): string {
  return lines.map((line, index) => `${(index === 0 ? term : '').padEnd(12)}${line}`).join('\n');
}

const MADE_TABLE: readonly Column<MadeSimulator>[] = [
  { key: 'simulator', value: ({ name }) => name },
  { key: 'round', title: 'after round', align: 'right', value: ({ round }) => round },
  { key: 'origin', title: 'what was changed', value: ({ origin }) => origin },
  { key: 'score', align: 'right', value: ({ score }) => score, text: scoreText },
  { key: 'fate', value: fateText },
];

/** Of what was not scored there is none. */
function scoreText({ score }: MadeSimulator): string {
  return measureText(Number.isNaN(score) ? null : score);
}

/** What became of a simulator that was made from a failure. */
export function fateText({ round, refusal, left }: Pick<MadeSimulator, 'round' | 'refusal' | 'left'>): string {
  if (refusal !== null) return `refused: ${refusal}`;
  if (left === null) return `entered after round ${round}`;
  return `entered after round ${round}, left after round ${left.round}: ${left.reason}`;
}
