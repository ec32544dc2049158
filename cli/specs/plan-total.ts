import type { ResolvedExperiment } from '../../schemas/resolved-experiment.ts';
import type { ExperimentPlan } from '../../specification/plan.ts';
import { countText, durationText, pluralText } from '../../web/documents/quantity-text.ts';

/** An experiment with what it would take. */
export interface Planned {
  readonly file: string;
  readonly experiment: Pick<ResolvedExperiment, 'name' | 'execution'>;
  readonly plan: Pick<ExperimentPlan, 'runs' | 'env_steps' | 'estimated_s' | 'memory_mib'>;
}

/** What a worker here can do at the same time. */
export interface Machine {
  readonly slots: number;
  readonly memoryMib: number;
}

/** What all experiments of a command take together. */
export interface PlanTotal {
  readonly runs: number;
  readonly envSteps: number;
  /** With as many runs at a time as there are slots, and no experiment with more than it asks for. */
  readonly estimatedS: number;
  /** When all of them are going on. */
  readonly memoryMib: number;
}

export function planTotal(planned: readonly Planned[], { slots }: Machine): PlanTotal {
  const sum = (value: (each: Planned) => number) => planned.reduce((total, each) => total + value(each), 0);
  const runSeconds = sum((each) => (each.plan.estimated_s ?? 0) * runsAtATime(each));
  return {
    runs: sum(({ plan }) => plan.runs),
    envSteps: sum(({ plan }) => plan.env_steps),
    estimatedS: Math.max(runSeconds / slots, ...planned.map(({ plan }) => plan.estimated_s ?? 0)),
    memoryMib: sum(({ plan }) => plan.memory_mib),
  };
}

function runsAtATime({ plan, experiment }: Planned): number {
  return plan.memory_mib / experiment.execution.memory_mib;
}

/** The last lines of a plan of several files. */
export function totalText(planned: readonly Planned[], total: PlanTotal): string {
  return (
    `${pluralText(planned.length, 'file')}: ${pluralText(total.runs, 'run')}, ${countText(total.envSteps)} env steps, ` +
    `about ${durationText(total.estimatedS)} on this machine, up to ${countText(total.memoryMib)} MiB of memory.`
  );
}

/** What does not fit this machine, a line each; none when all fits. */
export function memoryWarnings(planned: readonly Planned[], { memoryMib }: Machine): string[] {
  const has = `a worker here has ${countText(memoryMib)} MiB for training`;
  return planned.flatMap(({ file, experiment: { execution }, plan }) => {
    const { memory_mib: ofRun } = execution;
    if (ofRun > memoryMib) {
      const remedy = 'lower execution.memory_mib, or start a worker on a larger machine';
      return [`${file}: one run may take ${countText(ofRun)} MiB, and ${has}: ${remedy}.`];
    }
    if (plan.memory_mib <= memoryMib) return [];
    const fitting = Math.floor(memoryMib / ofRun);
    return [
      `${file}: ${countText(plan.memory_mib / ofRun)} runs at a time may take ${countText(plan.memory_mib)} MiB, and ${has}: ` +
        `${pluralText(fitting, 'run')} at a time ${fitting === 1 ? 'fits' : 'fit'}, the others wait.`,
    ];
  });
}
