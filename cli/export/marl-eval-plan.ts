import type { RunState } from '../../schemas/records.ts';

/** A run as far as it matters to whether marl-eval can read it. */
export interface EvaluatedRun {
  readonly experiment: string;
  readonly variant: string;
  readonly seed: number;
  readonly state: RunState;
  /** Whether something is held out from it; a specialist, say, has no test panel, and so no task. */
  readonly isTested: boolean;
  /** Env steps at each evaluated round, by completed rounds. */
  readonly steps: ReadonlyMap<number, number>;
}

/** What can be written: every algorithm has every run, and every run every step, in every task. */
export interface MarlEvalPlan {
  readonly variants: readonly string[];
  readonly seeds: readonly number[];
  /** Env steps at which all of these runs were evaluated, ascending. */
  readonly steps: readonly number[];
  /** What was left out and why, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Chooses what several experiments can tell together. marl-eval compares algorithms run by run and step by step, and fails
 * where one lacks a run or a step that another has: so variants without a test panel are left out where others have one, then
 * runs that are not whole, then variants that have none
 * left in some experiment, then seeds that some variant lacks, then steps that some run lacks.
 */
export function planMarlEval(all: readonly EvaluatedRun[]): MarlEvalPlan {
  const notes: string[] = [];
  const runs = testedRuns(all, notes);
  const whole = runs.filter(({ state }) => state === 'SUCCEEDED' || state === 'SKIPPED');
  const unfinished = runs.filter((run) => !whole.includes(run)).map(cellName);
  if (unfinished.length > 0) {
    notes.push(
      `marl-eval: ${shortList(unfinished)} did not succeed and ${unfinished.length === 1 ? 'is' : 'are'} left out; \`thaw retry --failed\` and \`thaw resume\` finish runs.`,
    );
  }
  const experiments = [...new Set(runs.map(({ experiment }) => experiment))];
  const variants = inAll(
    experiments,
    runs,
    whole,
    ({ variant }) => variant,
    (left) =>
      notes.push(
        `marl-eval: ${shortList(left)} ${left.length === 1 ? 'is' : 'are'} left out: every algorithm needs a whole run in every task.`,
      ),
  );
  const chosen = whole.filter(({ variant }) => variants.includes(variant));
  const cells = experiments.flatMap((experiment) => variants.map((variant) => `${experiment} ${variant}`));
  const seeds = inAll(
    cells,
    chosen,
    chosen,
    ({ seed }) => seed,
    (left) =>
      notes.push(
        `marl-eval: seed${left.length === 1 ? '' : 's'} ${shortList(left.map(String))} left out: some variant has no whole run of it, and every algorithm needs the same runs.`,
      ),
    ({ experiment, variant }) => `${experiment} ${variant}`,
  );
  const steps = commonSteps(
    chosen.filter(({ seed }) => seeds.includes(seed)),
    notes,
  );
  return { variants, seeds, steps, notes };
}

function testedRuns(runs: readonly EvaluatedRun[], notes: string[]): readonly EvaluatedRun[] {
  const tested = runs.filter(({ isTested }) => isTested);
  if (tested.length === 0 || tested.length === runs.length) return runs;
  const left = new Set(runs.filter(({ isTested }) => !isTested).map(({ variant }) => variant));
  notes.push(
    `marl-eval: ${shortList([...left])} ${left.size === 1 ? 'is' : 'are'} left out: nothing is held out, so there is no task.`,
  );
  return tested;
}

/** The keys that runs of every group have, in the order of their first appearance; the others are told. */
function inAll<Key>(
  groups: readonly string[],
  all: readonly EvaluatedRun[],
  whole: readonly EvaluatedRun[],
  keyOf: (run: EvaluatedRun) => Key,
  tell: (left: Key[]) => void,
  groupOf: (run: EvaluatedRun) => string = ({ experiment }) => experiment,
): Key[] {
  const groupsOf = new Map<Key, Set<string>>(all.map((run) => [keyOf(run), new Set<string>()]));
  for (const run of whole) groupsOf.get(keyOf(run))!.add(groupOf(run));
  const keys = [...groupsOf.keys()];
  const kept = keys.filter((key) => groupsOf.get(key)!.size === groups.length);
  if (kept.length < keys.length) tell(keys.filter((key) => !kept.includes(key)));
  return kept;
}

function commonSteps(runs: readonly EvaluatedRun[], notes: string[]): number[] {
  const counts = new Map<number, number>();
  for (const { steps } of runs)
    for (const step of new Set(steps.values())) counts.set(step, (counts.get(step) ?? 0) + 1);
  const all = [...counts.keys()].sort((a, b) => a - b);
  const common = all.filter((step) => counts.get(step) === runs.length);
  if (common.length < all.length) {
    const lacking = runs.find((run) => all.some((step) => !hasStep(run, step)))!;
    const lacks = all.filter((step) => !hasStep(lacking, step)).map(String);
    notes.push(
      `marl-eval: only the ${common.length} of ${all.length} evaluated steps that all runs have are written; ${cellName(lacking)}, for one, lacks ${shortList(lacks)} env steps. Give all variants the same budget, rounds and \`evaluation.every_rounds\`, or export them apart.`,
    );
  }
  return common;
}

function hasStep({ steps }: EvaluatedRun, step: number): boolean {
  return [...steps.values()].includes(step);
}

function cellName({ experiment, variant, seed }: EvaluatedRun): string {
  return `${experiment}/${variant}/${seed}`;
}

const SHOWN_MAX = 5;

function shortList(names: readonly string[]): string {
  const rest = names.length > SHOWN_MAX ? ` and ${names.length - SHOWN_MAX} more` : '';
  return `${names.slice(0, SHOWN_MAX).join(', ')}${rest}`;
}

/**
 * Names as marl-eval can tell them apart: it ignores upper case and takes no commas.
 * @returns by name what stands for it; each is used once
 */
export function marlEvalNames(names: readonly string[], notes: string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const chosen = new Map<string, string>();
  for (const name of names) {
    const plain = name.toLowerCase().replaceAll(',', ';');
    let free = plain;
    for (let count = 2; taken.has(free); count += 1) free = `${plain}_${count}`;
    taken.add(free);
    chosen.set(name, free);
    if (free !== name) notes.push(`marl-eval: "${name}" is called "${free}".`);
  }
  return chosen;
}
