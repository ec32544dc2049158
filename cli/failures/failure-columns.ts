import { recordFrom, type Column } from '../../learning/results/column.ts';
import type {
  ListedFailure,
  MadeSimulator,
  StoredFailure,
  StoredMinedSimulator,
} from '../../infra/postgres/failure-rows.ts';
import { failureName } from '../../learning/failures/contract.ts';
import { failureId } from '../../web/replay/failure-id.ts';
import { measureText } from '../../web/documents/quantity-text.ts';

/** What is told of every failure, for people: its id is short, because the run stands beside it. */
export const FAILURE_TABLE: readonly Column<ListedFailure>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', align: 'right', value: ({ seed }) => seed },
  { key: 'round', align: 'right', value: ({ round }) => round },
  { key: 'failure', value: ({ round, index }) => failureName(round, index) },
  { key: 'simulator', value: ({ name }) => name },
  { key: 'return', align: 'right', value: (row) => row.return, text: (row) => measureText(row.return) },
  {
    key: 'chance',
    align: 'right',
    value: ({ mined }) => mined.randomMean,
    text: ({ mined }) => measureText(mined.randomMean),
  },
  {
    key: 'best known',
    align: 'right',
    value: ({ mined }) => mined.knownMean,
    text: ({ mined }) => `${measureText(mined.knownMean)} (${mined.knownBy})`,
  },
  { key: 'score', align: 'right', value: ({ score }) => score, text: ({ score }) => measureText(score) },
  {
    key: 'key moment',
    align: 'right',
    value: ({ keyMoment }) => keyMoment,
    text: ({ keyMoment, stepCount, hasCritic }) => (hasCritic ? `${keyMoment} of ${stepCount}` : '–'),
  },
  { key: 'group', value: ({ group }) => group, text: ({ group, isMedoid }) => `${group}${isMedoid ? ' *' : ''}` },
  { key: 'made', align: 'right', value: ({ candidateCount }) => candidateCount },
  { key: 'entered', align: 'right', value: ({ admittedCount }) => admittedCount },
];

/** The same for programs, in full. */
export const FAILURE_COLUMNS: readonly Column<ListedFailure>[] = [
  { key: 'failure', value: failureId },
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', value: ({ seed }) => seed },
  { key: 'round', value: ({ round }) => round },
  { key: 'simulator', value: ({ name }) => name },
  { key: 'simulator_hash', value: ({ simulatorHash }) => simulatorHash },
  { key: 'episode', value: ({ episode }) => episode },
  { key: 'return', value: (row) => row.return },
  { key: 'chance_return', value: ({ mined }) => mined.randomMean },
  { key: 'known_return', value: ({ mined }) => mined.knownMean },
  { key: 'known_by', value: ({ mined }) => mined.knownBy },
  { key: 'score', value: ({ score }) => score },
  { key: 'key_moment', value: ({ keyMoment }) => keyMoment },
  { key: 'has_critic', value: ({ hasCritic }) => hasCritic },
  { key: 'steps', value: ({ stepCount }) => stepCount },
  { key: 'group', value: ({ group }) => group },
  { key: 'is_medoid', value: ({ isMedoid }) => isMedoid },
  { key: 'made', value: ({ candidateCount }) => candidateCount },
  { key: 'entered', value: ({ admittedCount }) => admittedCount },
];

const MINED_COLUMNS: readonly Column<StoredMinedSimulator>[] = [
  { key: 'variant', value: ({ variant }) => variant },
  { key: 'seed', value: ({ seed }) => seed },
  { key: 'round', value: ({ round }) => round },
  { key: 'simulator', value: ({ name }) => name },
  { key: 'simulator_hash', value: ({ simulatorHash }) => simulatorHash },
  { key: 'episodes', value: ({ episodes }) => episodes },
  { key: 'return_mean', value: ({ returnMean }) => returnMean },
  { key: 'chance_return', value: ({ randomMean }) => randomMean },
  { key: 'known_return', value: ({ knownMean }) => knownMean },
  { key: 'known_by', value: ({ knownBy }) => knownBy },
  { key: 'is_impossible', value: ({ isImpossible }) => isImpossible },
];

const MADE_COLUMNS: readonly Column<MadeSimulator>[] = [
  { key: 'name', value: ({ name }) => name },
  { key: 'simulator_hash', value: ({ simulatorHash }) => simulatorHash },
  { key: 'round', value: ({ round }) => round },
  { key: 'origin', value: ({ origin }) => origin },
  { key: 'score', value: ({ score }) => score },
  { key: 'novelty', value: ({ novelty }) => novelty },
  { key: 'probe_episodes', value: ({ probeEpisodes }) => probeEpisodes },
  { key: 'probe_return', value: ({ probeReturn }) => probeReturn },
  { key: 'refusal', value: ({ refusal }) => refusal },
  { key: 'left_round', value: ({ left }) => left?.round ?? null },
  { key: 'left_reason', value: ({ left }) => left?.reason ?? null },
  { key: 'contribution', value: ({ left }) => left?.contribution ?? null },
];

/** All that is stored of a failure, with which it can be played again. */
export function failureRecord(failure: StoredFailure) {
  const { key, features, actions, rewards, values } = failure;
  return { ...recordFrom(FAILURE_COLUMNS, failure), key, features, actions, rewards, values };
}

/** A simulator as it was mined. */
export function minedRecord(mined: StoredMinedSimulator) {
  return recordFrom(MINED_COLUMNS, mined);
}

/** A simulator that was made from a failure, and its fate. */
export function madeRecord(made: MadeSimulator) {
  return { ...recordFrom(MADE_COLUMNS, made), parents: made.parents };
}
