import type { SimulatorData } from '../../../simulators/contract.ts';
import type { RandomStream } from '../../../simulators/random.ts';
import { contentOf } from '../../strategies/draw-candidates.ts';
import { failureName, type Mined } from '../contract.ts';
import type { CandidateGenerator, Edited, GeneratorContext, Kept } from './contract.ts';
import { failingStart } from './edits/failing-start.ts';
import { startNear } from './edits/start.ts';
import { writeHabit } from './partner-habit.ts';
import { actionCountOf, type Dream, dreamOf, startRanges } from './world-model/dream.ts';
import { transitionsOf } from './world-model/transitions.ts';
import { fitWorldModel } from './world-model/world-model.ts';

/** Limits on what one mining costs: failures that are learned from, dreams of each, and how many of those are kept. */
const FAILURES_MAX = 20;
const DREAMS_PER_FAILURE = 24;
const KEPT_PER_FAILURE = 2;
const ROLLOUTS_PER_DREAM = 2;

interface KeptDream extends Dream {
  readonly failure: string;
  readonly parent: string;
  readonly simulator: SimulatorData;
}

/** What is kept: the paths of a start, and dreams, the best first. */
interface KeptDreams extends Kept {
  readonly statePaths: readonly string[];
  readonly dreams: readonly KeptDream[];
}

/**
 * Simulators that a small model of the world, fitted to the failing transitions, foretells to go even worse: other starts
 * near the failing ones and other habits of partners. The model is wrong in places, and lower is not worth more where
 * nobody could do better; so what it proposes is played in the real world before it may enter the pool.
 */
export const learned: CandidateGenerator = {
  name: 'learned',
  summary: 'A small network learns from failures how the world moves, and dreams of starts and partners that go worse.',
  probeEpisodes: 16,
  keep,
  propose,
};

function keep(mined: Mined, round: number, context: GeneratorContext, random: RandomStream): KeptDreams {
  const { statePaths, actionSize } = mined;
  const failures = mined.failures
    .map((failure, index) => ({ ...failure, index }))
    .toSorted((one, other) => Number(other.isMedoid) - Number(one.isMedoid))
    .slice(0, FAILURES_MAX);
  if (statePaths.length === 0 || failures.length === 0) return { statePaths, dreams: [] };
  const actionCount = actionSize > 1 ? null : actionCountOf(failures);
  const model = fitWorldModel(transitionsOf(failures), actionCount, random);
  const starts = failures.map(({ states }) => states[0]!);
  const options = {
    count: DREAMS_PER_FAILURE,
    rollouts: ROLLOUTS_PER_DREAM,
    ranges: startRanges(starts, statePaths, context.parameters),
    scale: context.scale,
  };
  const kept = failures.map((failure) => {
    const told = { failure: failureName(round, failure.index), parent: failure.name, simulator: failure.simulator };
    return dreamOf(model, failure, options, random)
      .slice(0, KEPT_PER_FAILURE)
      .map((dream): KeptDream => ({ ...dream, ...told }));
  });
  return { statePaths, dreams: bestOfEachFirst(kept) };
}

/** The best dream of every failure, by predicted return, then the second of every failure, and so on. */
function bestOfEachFirst(kept: readonly (readonly KeptDream[])[]): KeptDream[] {
  return Array.from({ length: KEPT_PER_FAILURE }, (_, rank) =>
    kept.flatMap((dreams) => dreams[rank] ?? []).toSorted((one, other) => one.predictedReturn - other.predictedReturn),
  ).flat();
}

/** Takes the dreams in order, from a place that is drawn: between two minings it is asked again and keeps no memory. */
function propose(kept: Kept, count: number, context: GeneratorContext, random: RandomStream): Edited[] {
  const { statePaths, dreams } = kept as KeptDreams;
  if (dreams.length === 0) return [];
  const first = random.nextInteger(dreams.length);
  const seen = new Set(context.known.map(contentOf));
  const proposed: Edited[] = [];
  for (const dream of [...dreams.slice(first), ...dreams.slice(0, first)]) {
    if (proposed.length >= count) break;
    const edited = editedBy(dream, statePaths, context, random);
    const content = contentOf(edited.simulator);
    if (seen.has(content) || content === contentOf(dream.simulator)) continue;
    seen.add(content);
    proposed.push(edited);
  }
  return proposed;
}

function editedBy(
  { start, habit, predictedReturn, failure, parent, simulator }: KeptDream,
  statePaths: readonly string[],
  context: GeneratorContext,
  random: RandomStream,
): Edited {
  const written = failingStart(statePaths, start, context.parameters) ?? {};
  const placed = startNear(simulator, written, context, random);
  const partner =
    habit === null
      ? ''
      : `, the partner of seat ${habit.seat} acts at random in ${habit.epsilon.toFixed(2)} of its steps`;
  return {
    simulator: habit === null ? placed : writeHabit(placed, habit),
    failure,
    parent,
    origin: `dreamt of a failure in ${parent}: starts near the failing start${partner}; predicted return ${Number(predictedReturn.toFixed(2))}`,
  };
}
