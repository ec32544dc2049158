import path from 'node:path';
import { openWhole } from '../../infra/artifacts/write-whole.ts';
import {
  listEvaluatedRuns,
  listTestEpisodes,
  listTestSimulators,
  type TestEpisodes,
  type TestSimulator,
} from '../../infra/postgres/test-episode-rows.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';
import { ThawError } from '../../schemas/errors.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { numberText } from './cell-text.ts';
import type { ExportFormat, ExportSource } from './export-format.ts';
import { type EvaluatedRun, type MarlEvalPlan, marlEvalNames, planMarlEval } from './marl-eval-plan.ts';

export const MARL_EVAL_FILE = 'marl-eval.json';

/** A task of marl-eval: a test simulator of an experiment, or its whole test panel. */
interface Task {
  readonly experiment: ExperimentRecord;
  readonly name: string;
  /** Place of the simulator in the test panel; null for the mean over the panel. */
  readonly position: number | null;
}

/** What a run looks like in marl-eval: by step its metrics, by episode; `absolute_metrics` come last. */
type RunDocument = Record<string, Record<string, number | readonly number[]>>;

/**
 * JSON that the package marl-eval reads: environment → task → algorithm → run → step → metric → episodes. A family is an
 * environment, a test simulator a task, a variant an algorithm; `absolute_metrics` are those of the checkpoint that was best
 * on validation. Where a number is not finite it is written as Python does, NaN or Infinity, because the package computes
 * with numbers only.
 */
export const writeMarlEval: ExportFormat = async (source) => {
  const runs = await Promise.all(source.experiments.map((experiment) => evaluatedRuns(source, experiment)));
  const plan = planMarlEval(runs.flat());
  plan.notes.forEach(source.onNote);
  requireSomething(plan);
  const tasks: Task[] = [];
  for (const experiment of source.experiments) tasks.push(...(await tasksOf(source, experiment, plan)));
  const file = await openWhole(path.join(source.folder, MARL_EVAL_FILE));
  try {
    await file.write(Buffer.from('{'));
    const families = [...new Set(tasks.map(({ experiment }) => settingOf(experiment).family))];
    for (const [index, family] of families.entries()) {
      const ofFamily = tasks.filter(({ experiment }) => settingOf(experiment).family === family);
      await file.write(Buffer.from(`${index === 0 ? '' : ','}\n${JSON.stringify(family)}:{`));
      for (const [place, { name, text }] of (await taskTexts(source, ofFamily, runs.flat(), plan)).entries()) {
        await file.write(Buffer.from(`${place === 0 ? '' : ','}\n${JSON.stringify(name)}:${text}`));
      }
      await file.write(Buffer.from('}'));
    }
    await file.write(Buffer.from('\n}\n'));
    await file.finish();
  } catch (error) {
    await file.abandon();
    throw error;
  }
  const rows = tasks.length * plan.variants.length * plan.seeds.length;
  return [{ file: MARL_EVAL_FILE, rows, bytes: file.bytes }];
};

async function evaluatedRuns({ snapshot }: ExportSource, { id, resolved }: ExperimentRecord): Promise<EvaluatedRun[]> {
  const rows = await listEvaluatedRuns(snapshot, id);
  return rows.map(({ variant, seed, state, rounds, steps }) => ({
    experiment: id,
    variant,
    seed,
    state,
    isTested: resolved.variants[variant]!.panels.test.length > 0,
    steps: new Map(rounds.map((round, index) => [round, steps[index]!])),
  }));
}

/** The setting that says which world it is: all variants of an experiment have the same. */
function settingOf({ resolved }: ExperimentRecord): ResolvedVariant {
  return Object.values(resolved.variants)[0]!;
}

function requireSomething({ variants, seeds, steps }: MarlEvalPlan): void {
  const lack = variants.length === 0 ? 'variant' : seeds.length === 0 ? 'seed' : steps.length === 0 ? 'step' : null;
  if (lack === null) return;
  throw new ThawError(
    'REQUEST_CONFLICT',
    `There is no ${lack} that all runs to be compared have, and marl-eval needs the same ones in all of them.`,
    {
      remedy:
        'Finish the runs (`thaw retry --failed`, `thaw resume`), give all variants the same budget and evaluation, or export fewer experiments together.',
    },
  );
}

/** One for each test simulator where all variants are tested on the same ones, else one for the whole panel. */
async function tasksOf(
  { snapshot, experiments, onNote }: ExportSource,
  experiment: ExperimentRecord,
  { variants }: MarlEvalPlan,
): Promise<Task[]> {
  const simulators = (await listTestSimulators(snapshot, experiment.id)).filter(({ variant }) =>
    variants.includes(variant),
  );
  const panels = variants.map((name) => simulators.filter(({ variant }) => variant === name));
  if (panels.some((panel) => panel.length === 0)) {
    throw new ThawError('REQUEST_CONFLICT', `${experiment.id} has variants without a test panel: there is no task.`, {
      remedy: 'Hold simulators out, in `panels.test`; the other formats export it as it is.',
    });
  }
  const prefix = experiments.length === 1 ? '' : `${experiment.id}:`;
  if (panels.some((panel) => contentOf(panel) !== contentOf(panels[0]!))) {
    onNote(
      `marl-eval: variants of ${experiment.id} are tested on different simulators: its task is the whole test panel.`,
    );
    return [{ experiment, name: `${prefix}test`, position: null }];
  }
  return panels[0]!.map(({ name, position }) => ({ experiment, name: `${prefix}${name}`, position }));
}

function contentOf(panel: readonly TestSimulator[]): string {
  return panel.map(({ name, simulatorHash }) => `${name} ${simulatorHash}`).join('\n');
}

async function taskTexts(
  source: ExportSource,
  tasks: readonly Task[],
  runs: readonly EvaluatedRun[],
  plan: MarlEvalPlan,
): Promise<{ name: string; text: string }[]> {
  const renamed: string[] = [];
  const algorithms = marlEvalNames(plan.variants, renamed);
  const names = marlEvalNames(
    tasks.map(({ name }) => name),
    renamed,
  );
  renamed.forEach(source.onNote);
  const parts = tasks.map(({ name }) => ({ name: names.get(name)!, algorithms: new Map<string, string[]>() }));
  for (const experiment of new Set(tasks.map((task) => task.experiment))) {
    const { hasSuccess } = openWorld(settingOf(experiment), DEFAULT_REGISTRIES);
    for (const variant of plan.variants) {
      for (const seed of plan.seeds) {
        source.onProgress(`marl-eval: ${experiment.id}/${variant}/${seed}`);
        const { steps } = runs.find(
          (run) => run.experiment === experiment.id && run.variant === variant && run.seed === seed,
        )!;
        const episodes = await listTestEpisodes(source.snapshot, { experimentId: experiment.id, variant, seed });
        for (const [index, task] of tasks.entries()) {
          if (task.experiment !== experiment) continue;
          const document = runDocument(episodes, { steps, plan, position: task.position, hasSuccess });
          const algorithm = algorithms.get(variant)!;
          const texts = parts[index]!.algorithms.get(algorithm) ?? [];
          parts[index]!.algorithms.set(algorithm, [...texts, `"run_${seed}":${pythonJson(document)}`]);
        }
      }
    }
  }
  return parts.map((part) => ({
    name: part.name,
    text: `{${[...part.algorithms].map(([name, texts]) => `\n ${JSON.stringify(name)}:{\n  ${texts.join(',\n  ')}}`).join(',')}}`,
  }));
}

/** A run as marl-eval wants it. @param options.position of the test simulator; null for the mean over the panel */
export function runDocument(
  evaluations: readonly TestEpisodes[],
  {
    steps,
    plan,
    position,
    hasSuccess,
  }: {
    steps: EvaluatedRun['steps'];
    plan: Pick<MarlEvalPlan, 'steps'>;
    position: number | null;
    hasSuccess: boolean;
  },
): RunDocument {
  const metricsOf = (chosen: readonly TestEpisodes[]) => {
    const own = position === null ? chosen : chosen.filter((each) => each.position === position);
    return {
      return: panelMean(own, ({ returns }) => returns),
      length: panelMean(own, ({ lengths }) => lengths),
      ...(hasSuccess && { success: panelMean(own, ({ successes }) => successes.map(Number)) }),
    };
  };
  const roundOf = new Map([...steps].map(([round, step]) => [step, round]));
  const document: RunDocument = {};
  for (const [index, step] of plan.steps.entries()) {
    const round = roundOf.get(step)!;
    const chosen = evaluations.filter((each) => each.checkpoint === 'round' && each.round === round);
    document[`step_${index}`] = { step_count: step, ...metricsOf(chosen) };
  }
  document['absolute_metrics'] = metricsOf(evaluations.filter(({ checkpoint }) => checkpoint === 'best'));
  return document;
}

/** Episode by episode the weighted mean over simulators; episode k has the same seed on all of them. */
function panelMean(
  evaluations: readonly TestEpisodes[],
  valuesOf: (evaluation: TestEpisodes) => readonly number[],
): readonly number[] {
  const [first] = evaluations;
  if (first === undefined) return [];
  if (evaluations.length === 1) return valuesOf(first);
  const total = evaluations.reduce((sum, { weight }) => sum + weight, 0);
  return valuesOf(first).map(
    (_, episode) => evaluations.reduce((sum, each) => sum + each.weight * valuesOf(each)[episode]!, 0) / total,
  );
}

/** JSON as Python reads it: a number that JSON does not have is written by its name. */
function pythonJson(value: RunDocument | RunDocument[string] | number | readonly number[]): string {
  if (typeof value === 'number') return numberText(value);
  if (Array.isArray(value)) return `[${(value as readonly number[]).map(numberText).join(',')}]`;
  const members = Object.entries(value as Record<string, RunDocument[string]>);
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${pythonJson(inner)}`).join(',')}}`;
}
