import { z } from 'zod';
import type { Evidence, Strategy, StrategyOptions } from './contract.ts';
import { everyRounds, type EveryRoundsOptions, isDueEveryRounds } from './every-rounds.ts';
import { PLAIN_STRATEGY, poolDecision } from './fixed-pool.ts';
import { oneSimulator, unknownSimulators } from './one-simulator.ts';

interface Stage {
  readonly simulator: string;
  readonly threshold: number | null;
}

interface CurriculumOptions extends StrategyOptions, EveryRoundsOptions {
  readonly kind: 'curriculum';
  readonly stages: readonly Stage[];
}

const stageSchema = z.strictObject({
  simulator: z.string().min(1).describe('Name of the simulator to train on in this stage.'),
  threshold: z
    .number()
    .nullable()
    .default(null)
    .describe(
      'The next stage follows when the mean return of the training episodes since the last decision is above this. ' +
        'Null, or a number without effect, in the last stage only.',
    ),
});

/** Ordered simulators, one at a time: the next when the learners do well enough in this one, and never back. */
export const curriculum: Strategy<CurriculumOptions> = {
  ...PLAIN_STRATEGY,
  kind: 'curriculum',
  summary: 'ordered simulators, the next when the mean training return passes a threshold',
  optionsSchema: z.strictObject({
    kind: z.literal('curriculum'),
    stages: z.array(stageSchema).min(1).max(1024).describe('The simulators in the order in which they are trained on.'),
    every_rounds: everyRounds(1, 'Rounds between decisions; each goes one stage at most.'),
  }),
  check: (evidence) => {
    const { stages } = evidence.options;
    return [
      ...unknownSimulators(
        evidence,
        'stages',
        stages.map(({ simulator }) => simulator),
      ),
      ...endless(stages),
    ];
  },
  varied: () => [],
  isDue: isDueEveryRounds,
  propose: (state, evidence) => ({ state: { stage: nextStage(state, evidence) }, candidates: [], probes: [] }),
  decide: ({ state }, evidence) => {
    const { stages } = evidence.options;
    const stage = state['stage'] as number;
    const reason = `stage ${stage + 1} of ${stages.length}`;
    return poolDecision(state, [oneSimulator(evidence, stages[stage]!.simulator, reason)]);
  },
};

/** Stages before the last that nothing would end. */
function endless(stages: readonly Stage[]): ReturnType<Strategy['check']> {
  return stages.slice(0, -1).flatMap(({ threshold }, index) =>
    threshold !== null
      ? []
      : [
          {
            key: 'stages',
            problem: `stage ${index + 1} has no threshold, so those after it would never be reached`,
            remedy: 'Give each stage but the last a threshold, a mean return per episode.',
          },
        ],
  );
}

/** Without episodes the mean return is NaN, which passes nothing. */
function nextStage(
  state: Parameters<Strategy['propose']>[0],
  { options: { stages }, training }: Evidence<CurriculumOptions>,
): number {
  if (state === null) return 0;
  const stage = state['stage'] as number;
  const { threshold } = stages[stage]!;
  const isLast = stage === stages.length - 1;
  const isPassed = threshold !== null && (training[0]?.returnMean ?? NaN) > threshold;
  return isPassed && !isLast ? stage + 1 : stage;
}
