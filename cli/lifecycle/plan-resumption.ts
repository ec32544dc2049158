import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import type { CommittedWork } from '../../infra/postgres/resumption-rows.ts';
import type { RunStatus } from '../../infra/postgres/run-rows.ts';
import { isFinalState, type RunState } from '../../schemas/records.ts';
import type { ResolvedVariant } from '../../schemas/resolved-experiment.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { stepsFrom, type Step } from '../../workflows/round-schedule.ts';
import { FAILED_STATES } from '../runs/run-counts.ts';

/** `goes on` and `starts`: because of the resumption. `is open`: it is worked on, or waits for its turn. */
type ResumptionAction = 'goes on' | 'starts' | 'is open' | 'is skipped' | 'stays';

/** What would become of one run. */
export interface RunResumption {
  readonly run: string;
  readonly state: RunState | null;
  readonly action: ResumptionAction;
  readonly roundsReused: number;
  readonly roundCount: number;
  /** The checkpoint that it goes on from, and what is wrong with its artifact, null for nothing; null for the initial weights. */
  readonly checkpoint: { readonly round: number; readonly hash: string; readonly flaw: string | null } | null;
  /** The round whose whole checkpoint a broken one is made again from, 0 for the initial weights; null when it is whole. */
  readonly repairedFrom: number | null;
  /** Steps that are not committed, in order. */
  readonly reruns: readonly Step[];
  readonly reason: string;
}

/** What a resumption would do with a run, from what is committed of it and what is left of that on the disk. */
export async function planResumption(
  artifacts: Pick<ArtifactStore, 'flawOf'>,
  run: Pick<RunStatus, 'id' | 'state' | 'reason' | 'roundsCompleted' | 'roundCount'>,
  { variant, work, resumed }: { variant: ResolvedVariant; work: CommittedWork; resumed: readonly RunState[] },
): Promise<RunResumption> {
  const { id, state, roundsCompleted, roundCount } = run;
  const action = actionOf(run, work, resumed);
  const known = { run: id, state, action, roundCount, reason: reasonOf(run, work, action) };
  if (action === 'stays' || action === 'is skipped') {
    return { ...known, roundsReused: roundsCompleted, checkpoint: null, repairedFrom: null, reruns: [] };
  }
  return {
    ...known,
    roundsReused: roundsCompleted,
    ...(await checkpointOf(artifacts, work, roundsCompleted)),
    reruns: stepsLeft(variant, roundsCompleted, work),
  };
}

/** A run of a further seed, which has nothing behind it. */
export function planFirstRun(run: string, variant: ResolvedVariant): RunResumption {
  return {
    run,
    state: null,
    action: 'starts',
    roundsReused: 0,
    roundCount: variant.budget.rounds,
    checkpoint: null,
    repairedFrom: null,
    reruns: stepsLeft(variant, 0, { evaluated: [], decided: [] }),
    reason: 'a further seed',
  };
}

function actionOf(
  { state, roundsCompleted }: Pick<RunStatus, 'state' | 'roundsCompleted'>,
  { equalTo }: CommittedWork,
  resumed: readonly RunState[],
): ResumptionAction {
  if (isFinalState(state) && !resumed.includes(state)) return 'stays';
  if (equalTo !== null) return 'is skipped';
  if (!resumed.includes(state)) return 'is open';
  return roundsCompleted === 0 ? 'starts' : 'goes on';
}

function reasonOf(
  { state, reason }: Pick<RunStatus, 'state' | 'reason'>,
  { equalTo }: CommittedWork,
  action: ResumptionAction,
): string {
  if (action === 'is skipped') return `equal to the finished run ${equalTo}`;
  if (state === 'SUCCEEDED') return 'complete';
  if (action === 'is open') return reason ?? 'nothing stands in its way';
  const failed = (FAILED_STATES as readonly RunState[]).includes(state) && action === 'stays';
  return `${reason ?? 'stopped'}${failed ? '; `thaw retry --failed` goes on with it' : ''}`;
}

async function checkpointOf(
  artifacts: Pick<ArtifactStore, 'flawOf'>,
  { checkpoints }: CommittedWork,
  roundsCompleted: number,
): Promise<Pick<RunResumption, 'checkpoint' | 'repairedFrom'>> {
  const [newest, ...older] = checkpoints.filter(({ round }) => round <= roundsCompleted);
  if (newest === undefined) return { checkpoint: null, repairedFrom: null };
  const flaw = await artifacts.flawOf(newest.hash);
  const checkpoint = { ...newest, flaw };
  if (flaw === null) return { checkpoint, repairedFrom: null };
  for (const { round, hash } of older) {
    if ((await artifacts.flawOf(hash)) === null) return { checkpoint, repairedFrom: round };
  }
  return { checkpoint, repairedFrom: 0 };
}

function stepsLeft(
  { budget, evaluation, strategy }: ResolvedVariant,
  roundsCompleted: number,
  { evaluated, decided }: Pick<CommittedWork, 'evaluated' | 'decided'>,
): Step[] {
  const chooser = DEFAULT_REGISTRIES.strategies[strategy.kind]!;
  const rounds = Array.from({ length: budget.rounds }, (_, round) => round);
  const adaptRounds = rounds.filter((round) => round === 0 || chooser.isDue(strategy, round));
  const schedule = { roundCount: budget.rounds, evaluateEveryRounds: evaluation.every_rounds, adaptRounds };
  return stepsFrom(schedule, roundsCompleted).filter(
    ({ kind, round }) =>
      !(kind === 'evaluate_panels' && evaluated.includes(round)) && !(kind === 'adapt_pool' && decided.includes(round)),
  );
}
