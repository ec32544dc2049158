import type { z } from 'zod';
import type { Problem } from '../../schemas/problem.ts';
import type { World } from '../../simulators/contract.ts';
import { RECORDED_KEYS, type RecordedStep, recordedStepSchema } from './recorded-step.ts';

/** An episode of a recording. */
export interface RecordedEpisode {
  /** As the recording calls it, or its place among the episodes, from 0. */
  readonly name: string;
  /** From step 0, one after the other. */
  readonly steps: readonly RecordedStep[];
}

interface GrowingEpisode extends RecordedEpisode {
  readonly steps: RecordedStep[];
}

/** Problems that are told; whoever has more has made one mistake often. */
export const PROBLEMS_MAX = 20;
const EPISODES_MAX = 100_000;

const FORMAT = 'The format is on the page docs/guides/recordings.md.';
const DROP = 'Leave it out, or name it with --drop-keys: then it is not stored. Free text may hold personal data.';

/**
 * Reads a recording line by line. Every line is checked by itself and against the one before; what is wrong is collected,
 * so that all of it can be told at once.
 */
export class RecordingReader {
  readonly problems: Problem[] = [];
  private readonly schema: z.ZodType<RecordedStep>;
  private readonly dropped: readonly string[];
  private readonly byName = new Map<string, GrowingEpisode>();
  private current: GrowingEpisode | null = null;
  /** After a line that is wrong the next ones do not follow, only because of it: until the next start that is not told. */
  private isBroken = false;

  /** @param dropped keys of lines that are left out */
  constructor(world: World, dropped: readonly string[]) {
    this.schema = recordedStepSchema(world);
    this.dropped = dropped;
  }

  get episodes(): readonly RecordedEpisode[] {
    return [...this.byName.values()];
  }

  /** Whether so much is wrong that there is no use in reading on. */
  get isHopeless(): boolean {
    return this.problems.length >= PROBLEMS_MAX;
  }

  /** @param line its number, from 1 */
  add(text: string, line: number): void {
    const place = `line ${line}`;
    const parsed = this.parsed(text, place);
    const problem = parsed === null ? null : this.placeInEpisode(parsed, place);
    if (problem !== null && !this.isBroken) this.complain(problem);
    this.isBroken = parsed === null || problem !== null;
  }

  private parsed(text: string, place: string): RecordedStep | null {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const found = (error as Error).message;
      this.complain({
        code: 'REQUEST_NOT_JSON',
        path: place,
        found,
        expected: 'one JSON object a line',
        remedy: FORMAT,
      });
      return null;
    }
    const kept = withoutKeys(value, this.dropped);
    const read = this.schema.safeParse(kept);
    if (read.success) return read.data;
    for (const issue of read.error.issues) this.complain(problemFrom(issue, kept, place));
    return null;
  }

  /** @returns what does not follow from the line before; null when the line was taken up */
  private placeInEpisode(step: RecordedStep, place: string): Problem | null {
    const at = (key: string, found: string, expected: string): Problem => ({
      code: 'REQUEST_BAD_ARGUMENT',
      path: `${place}: ${key}`,
      found,
      expected,
      remedy: FORMAT,
    });
    if (step.step === 0) return this.begin(step, at);
    const { current } = this;
    if (current === null) return at('step', `${step.step}`, '0, the start of an episode');
    if (step.episode !== null && step.episode !== current.name) {
      return at('step', `${step.step} of episode ${step.episode}`, '0: the lines of an episode stand together');
    }
    const last = current.steps.at(-1)!;
    if (last.ended || last.truncated) return at('step', `${step.step}`, `0: episode ${current.name} was over`);
    if (step.step !== last.step + 1) return at('step', `${step.step}`, `${last.step + 1}, the next of ${current.name}`);
    current.steps.push(step);
    return null;
  }

  private begin(step: RecordedStep, at: (key: string, found: string, expected: string) => Problem): Problem | null {
    const name = step.episode ?? String(this.byName.size);
    if (this.byName.has(name)) return at('episode', `"${name}" once more`, 'a name that no episode before has');
    if (this.byName.size >= EPISODES_MAX) return at('episode', 'one more', `at most ${EPISODES_MAX} episodes`);
    if (step.actions !== null)
      return at('actions', 'actions at the start', 'null: actions stand with what came of them');
    if (step.rewards !== null)
      return at('rewards', 'rewards at the start', 'null: rewards stand with what they are for');
    this.current = { name, steps: [step] };
    this.byName.set(name, this.current);
    return null;
  }

  private complain(problem: Problem): void {
    if (!this.isHopeless) this.problems.push(problem);
  }
}

function withoutKeys(value: unknown, keys: readonly string[]): unknown {
  if (keys.length === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

const SHOWN_MAX = 80;

function problemFrom(issue: z.core.$ZodIssue, value: unknown, line: string): Problem {
  const isUnknown = issue.code === 'unrecognized_keys' && issue.path.length === 0;
  return {
    code: 'REQUEST_BAD_ARGUMENT',
    path: issue.path.length === 0 ? line : `${line}: ${pathText(issue.path)}`,
    found: isUnknown ? `the key ${issue.keys.join(', ')}` : foundText(issue.path, value),
    expected: isUnknown ? `only ${RECORDED_KEYS.join(', ')}` : issue.message,
    remedy: isUnknown ? DROP : FORMAT,
  };
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}

function foundText(path: readonly PropertyKey[], value: unknown): string {
  const found = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
  if (found === undefined) return 'nothing';
  if (Array.isArray(found)) return `a list of ${found.length}`;
  const text = JSON.stringify(found);
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
