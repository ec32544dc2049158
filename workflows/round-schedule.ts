import type { AttemptKind } from '../schemas/records.ts';
import type { RunPlan } from '../schemas/run-plan.ts';

/** One activity of a run. `round` counts completed rounds, but for `train_round`: there it is the index of the round. */
export interface Step {
  readonly kind: AttemptKind;
  readonly round: number;
}

type Schedule = Pick<RunPlan, 'roundCount' | 'evaluateEveryRounds' | 'adaptRounds'>;

/**
 * What is left of a run after so many completed rounds, in order. The steps that belong to the border of the last
 * completed round are listed again, because only their own rows know whether they were done; done ones return at once.
 */
export function stepsFrom(schedule: Schedule, roundsCompleted: number): Step[] {
  const steps = borderSteps(schedule, roundsCompleted);
  for (let round = roundsCompleted; round < schedule.roundCount; round += 1) {
    steps.push({ kind: 'train_round', round }, ...borderSteps(schedule, round + 1));
  }
  return [...steps, { kind: 'finish_run', round: schedule.roundCount }];
}

/** Between two rounds the policy is evaluated on the pool it was trained on, then the strategy may change the pool. */
function borderSteps({ roundCount, evaluateEveryRounds, adaptRounds }: Schedule, completed: number): Step[] {
  const evaluate: Step = { kind: 'evaluate_panels', round: completed };
  const adapt: Step = { kind: 'adapt_pool', round: completed };
  // There is nothing to evaluate on before the first pool is chosen.
  if (completed === 0) return [adapt, evaluate];
  const isEvaluated = completed === roundCount || completed % evaluateEveryRounds === 0;
  return [...(isEvaluated ? [evaluate] : []), ...(adaptRounds.includes(completed) ? [adapt] : [])];
}
