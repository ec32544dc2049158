import type { Column } from '../../learning/results/column.ts';
import { availableParallelism } from 'node:os';
import { memoryBudget } from '../../infra/children/memory-budget.ts';
import { readConfiguration } from '../../infra/configuration.ts';
import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import { planExperiment, type ExperimentPlan, type Speed, type VariantPlan } from '../../specification/plan.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { RUNNING_LOOKUP } from '../imports/import-lookup.ts';
import { jsonText } from '../table-formats/json-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { countText, durationText, pluralText } from '../../web/documents/quantity-text.ts';
import { memoryWarnings, planTotal, totalText, type Machine } from './plan-total.ts';
import { note, print } from '../terminal/terminal.ts';
import { noteUnchecked, readValidSpecs, tellProblems } from './validate-files.ts';

/** Env steps per second of one run of the default algorithm on one core of an ordinary machine; for estimates only. */
const TYPICAL_SPEED: Speed = { training: 27_000, evaluation: 250_000 };

/** Tells what would run. Starts nothing. */
export async function planFiles(
  files: readonly string[],
  { overrides, format }: { overrides: readonly string[]; format: 'table' | 'json' },
): Promise<ExitCode> {
  const specs = await readValidSpecs(files, overrides, RUNNING_LOOKUP);
  if (specs === null) return EXIT.request;
  const plans = specs.map(({ file, experiment }) => ({
    file,
    experiment,
    plan: planExperiment(experiment, DEFAULT_REGISTRIES, TYPICAL_SPEED, availableParallelism()),
  }));
  const machine = thisMachine();
  for (const warning of memoryWarnings(plans, machine)) note(warning);
  // A plan of what this version cannot start is still a plan.
  specs.forEach(tellProblems);
  specs.forEach(noteUnchecked);
  if (format === 'json') {
    const documents = plans.map(({ file, experiment, plan }) => ({ file, name: experiment.name, ...plan }));
    print(jsonText(documents.length === 1 ? documents[0] : documents, 2));
  } else {
    print(plans.map(({ experiment, plan }) => planText(experiment, plan)).join('\n\n'));
    if (plans.length > 1) print(`\n${totalText(plans, planTotal(plans, machine))}`);
  }
  return EXIT.done;
}

/** What a worker of this machine can do, which need not be the one that will do it. */
function thisMachine(): Machine {
  const { workerMemoryMib } = readConfiguration(process.env);
  return { slots: availableParallelism(), memoryMib: memoryBudget(workerMemoryMib).limitMib };
}

const COLUMNS: readonly Column<VariantPlan>[] = [
  { key: 'variant', value: ({ name }) => name },
  { key: 'runs', align: 'right', value: ({ runs }) => runs },
  { key: 'rounds', align: 'right', value: ({ rounds }) => rounds },
  { key: 'updates', align: 'right', value: ({ updates }) => updates },
  { key: 'asked', title: 'env steps asked', align: 'right', value: (plan) => countText(plan.env_steps_asked) },
  { key: 'true', title: 'in whole updates', align: 'right', value: (plan) => countText(plan.env_steps) },
  { key: 'difference', align: 'right', value: (plan) => differenceText(plan) },
  {
    key: 'decisions',
    title: 'decisions at most',
    align: 'right',
    value: (plan) => countText(plan.decision_env_steps),
  },
  {
    key: 'evaluation',
    title: 'evaluation at most',
    align: 'right',
    value: (plan) => countText(plan.evaluation_env_steps),
  },
  { key: 'samplers', align: 'right', value: ({ samplers }) => samplers },
  {
    key: 'memory',
    title: 'MiB of a run',
    align: 'right',
    value: (plan) => `~${countText(Math.round(plan.estimated_mib))}`,
  },
  { key: 'time', title: 'time of a run', align: 'right', value: (plan) => `~${durationText(plan.estimated_s ?? NaN)}` },
];

function planText({ name, seeds, execution }: ResolvedExperiment, plan: ExperimentPlan): string {
  // Most strategies play nothing to decide.
  const columns = COLUMNS.filter(
    ({ key }) => key !== 'decisions' || plan.variants.some(({ decision_env_steps: steps }) => steps > 0),
  );
  const size = `${pluralText(plan.variants.length, 'variant')} × ${pluralText(seeds.length, 'seed')}`;
  return [
    `${name}: ${size} = ${pluralText(plan.runs, 'run')}, ${execution.max_concurrent_runs} at a time`,
    '',
    listingText(columns, plan.variants, 'table'),
    '',
    ...samplerLines(plan),
    `In all ${countText(plan.env_steps)} env steps, about ${durationText(plan.estimated_s ?? NaN)}` +
      ` (at ${countText(TYPICAL_SPEED.training)} env steps/s a run), up to ${countText(plan.memory_mib)} MiB of memory.`,
  ].join('\n');
}

/** Why episodes are played by so many threads, once for all variants that have the same reason. */
function samplerLines({ variants }: ExperimentPlan): string[] {
  const reasons = [
    ...new Set(variants.map(({ samplers, samplers_why: why }) => `${pluralText(samplers, 'sampler')}: ${why}.`)),
  ];
  return reasons.length === 1 ? reasons : reasons.map((reason) => `${namesOf(variants, reason)}: ${reason}`);
}

const namesOf = (variants: readonly VariantPlan[], reason: string): string =>
  variants
    .filter(({ samplers, samplers_why: why }) => reason === `${pluralText(samplers, 'sampler')}: ${why}.`)
    .map(({ name }) => name)
    .join(', ');

/** Of what counts against the budget, decisions included where it counts all. */
function differenceText({ env_steps_asked: asked, counted_env_steps: counted }: VariantPlan): string {
  const percent = (100 * (counted - asked)) / asked;
  return `${percent >= 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`;
}
