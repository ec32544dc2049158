import { ThawError } from '../../schemas/errors.ts';
import type { SimulatorData, World } from '../../simulators/contract.ts';
import { failingStart } from '../failures/generators/edits/failing-start.ts';
import { numbersOfStart, startPaths } from '../failures/mining/start-numbers.ts';
import type { RecordedEpisode } from './recording-reader.ts';

/** Which states of a recording become starts. */
export type StartRule =
  | { readonly kind: 'none' }
  /** The start of every episode. */
  | { readonly kind: 'first' }
  /** Every so many steps of every episode. */
  | { readonly kind: 'every'; readonly steps: number }
  /** The start of the episodes with the lowest returns, a share of all of them in percent. */
  | { readonly kind: 'low'; readonly percent: number };

/** A state of a recording that episodes can start from. */
export interface RecordedStart {
  /** `EPISODE@STEP`. */
  readonly name: string;
  readonly episode: string;
  readonly step: number;
  /** Of its episode; null where rewards were not recorded. */
  readonly return: number | null;
  /** As `scenarios.start` of a simulator is written. */
  readonly start: Readonly<Record<string, unknown>>;
}

const STARTS_MAX = 10_000;

/**
 * The states that a rule chooses, as starts. Last states, of which nothing follows, are none.
 * @throws REQUEST_BAD_ARGUMENT when the family has no starts, states or rewards were not recorded, or there are too many
 */
export function chooseStarts(world: World, episodes: readonly RecordedEpisode[], rule: StartRule): RecordedStart[] {
  if (rule.kind === 'none') return [];
  const paths = startPaths(world);
  if (paths.length === 0) throw refused(`${world.family} has no starts that a simulator can be given.`);
  const simulator = world.simulatorSchema.parse({});
  const starts = chosenEpisodes(world, episodes, rule).flatMap((episode) => {
    const steps = episode.steps.slice(0, Math.max(1, episode.steps.length - 1));
    const chosen = rule.kind === 'every' ? steps.filter(({ step }) => step % rule.steps === 0) : steps.slice(0, 1);
    return chosen.map(({ step, state }): RecordedStart => {
      const name = `${episode.name}@${step}`;
      if (state === null) throw refused(`The state of ${name} was not recorded.`);
      const numbers = numbersOfStart(world, simulator, state);
      const start = checkedStart(world, name, failingStart(paths, numbers, world.parameters)!);
      return { name, episode: episode.name, step, return: returnOf(world, episode), start };
    });
  });
  if (starts.length <= STARTS_MAX) return starts;
  throw refused(`${starts.length} starts; expected at most ${STARTS_MAX}.`, 'Choose fewer, e.g. by `--starts low:10`.');
}

/** A start as simulators hold it, every default written out. @throws REQUEST_BAD_ARGUMENT when no episode may start so */
function checkedStart(world: World, name: string, start: Readonly<Record<string, unknown>>): RecordedStart['start'] {
  const read = world.simulatorSchema.safeParse({ scenarios: { start } });
  if (read.success) return startOf(read.data)!;
  const [issue] = read.error.issues;
  throw refused(
    `No episode of ${world.family} may start at ${name}: ${issue!.path.join('.')}: ${issue!.message}.`,
    'Choose other states, e.g. by `--starts first`.',
  );
}

/** Where the episodes of a simulator start; undefined where that is drawn. */
export function startOf({ scenarios }: SimulatorData): Readonly<Record<string, unknown>> | undefined {
  return scenarios['start'] as Readonly<Record<string, unknown>> | undefined;
}

function chosenEpisodes(world: World, episodes: readonly RecordedEpisode[], rule: StartRule): RecordedEpisode[] {
  if (rule.kind !== 'low') return [...episodes];
  const known = episodes.map((episode) => ({ episode, value: returnOf(world, episode) }));
  const unknown = known.find(({ value }) => value === null);
  if (unknown !== undefined) throw refused(`The rewards of episode ${unknown.episode.name} were not recorded.`);
  const count = Math.max(1, Math.round((episodes.length * rule.percent) / 100));
  const lowest = known.toSorted((a, b) => a.value! - b.value!).slice(0, count);
  // In the order of the recording, so that a rule that takes them all is `first`.
  return episodes.filter((episode) => lowest.some((each) => each.episode === episode));
}

/** Of a cooperative family the sum over all seats, of others the mean over them; null where rewards are missing. */
export function returnOf({ cooperative }: World, { steps }: RecordedEpisode): number | null {
  let total = 0;
  for (const { step, rewards } of steps) {
    if (step === 0) continue;
    if (rewards === null) return null;
    const sum = rewards.reduce((all, reward) => all + reward, 0);
    total += cooperative ? sum : sum / rewards.length;
  }
  return total;
}

function refused(
  message: string,
  remedy = 'Leave starts out, by `--starts none`, or record what is missing.',
): ThawError {
  return new ThawError('REQUEST_BAD_ARGUMENT', message, { remedy });
}
