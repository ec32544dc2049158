import type { RandomStream } from '../../../../simulators/random.ts';
import { contentOf } from '../../../strategies/draw-candidates.ts';
import type { CandidateGenerator, Edited, GeneratorContext, Kept } from '../contract.ts';
import type { Parent } from './contract.ts';
import { grouped, parentsOf } from './parents.ts';
import { type EditKind, EDITS } from './registry.ts';

/** Plain JSON. */
interface KeptParents extends Kept {
  readonly parents: readonly Parent[];
}

/** Who is changed next, and how. */
interface Turn {
  readonly parent: Parent;
  readonly kind: EditKind;
}

/** How often every failure is edited in each way before there is nothing new to be had. */
const ROUNDS_WITHOUT_NEWS_MAX = 2;

/** Failures become simulators by edits of their data. @param kinds the edits that are made */
export function createEdits(kinds: readonly EditKind[]): CandidateGenerator {
  return {
    name: 'edits',
    summary:
      'Changes the data of the simulators in which episodes failed: where they start, what partners do, ranged numbers.',
    probeEpisodes: 0,
    keep(mined, round, { parameters }): KeptParents {
      return { parents: parentsOf(mined, round, parameters) };
    },
    propose(kept, count, context, random) {
      const { parents } = kept as KeptParents;
      return parents.length === 0 || kinds.length === 0 ? [] : edited(parents, kinds, count, context, random);
    },
  };
}

/**
 * Groups take turns, and when each had one, kinds do; a group's medoid is edited in all ways before its next failure
 * is. The first turn is drawn, because there may be more turns than simulators asked for.
 */
function edited(
  parents: readonly Parent[],
  kinds: readonly EditKind[],
  count: number,
  context: GeneratorContext,
  random: RandomStream,
): Edited[] {
  const groups = grouped(parents, ({ group }) => group);
  const turnsMax =
    ROUNDS_WITHOUT_NEWS_MAX * groups.length * kinds.length * Math.max(...groups.map(({ length }) => length));
  const seen = new Set([...parents.map(({ simulator }) => simulator), ...context.known].map(contentOf));
  const found: Edited[] = [];
  const first = random.nextInteger(groups.length * kinds.length);
  let turnsWithoutNews = 0;
  for (let turn = 0; found.length < count && turnsWithoutNews < turnsMax; turn += 1) {
    const { parent, kind } = turnAt(groups, kinds, first, turn);
    const child = EDITS[kind].apply(parent, context, random);
    turnsWithoutNews += 1;
    if (child === null || seen.has(contentOf(child.simulator))) continue;
    seen.add(contentOf(child.simulator));
    found.push({ ...child, failure: parent.failure, parent: parent.name });
    turnsWithoutNews = 0;
  }
  return found;
}

/** @param first 0 … groups × kinds − 1 @param turn from 0 */
function turnAt(groups: readonly (readonly Parent[])[], kinds: readonly EditKind[], first: number, turn: number): Turn {
  const place = (first + turn) % (groups.length * kinds.length);
  const group = groups[place % groups.length]!;
  const member = Math.floor(turn / (groups.length * kinds.length)) % group.length;
  return { parent: group[member]!, kind: kinds[Math.floor(place / groups.length)]! };
}
