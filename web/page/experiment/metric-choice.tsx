import { Choice } from '../parts/choice.tsx';
import { metricText } from '../parts/number-text.ts';
import { useQuery } from '../router.ts';

export const DEFAULT_METRIC = 'heldout_return';
const FIRST = ['heldout_return', 'train_return', 'validation_return', 'worst_heldout', 'collapse_gap', 'relative_gap'];

/** The metric and the checkpoint that the address names. */
export function useMetric(): { readonly metric: string; readonly round: string } {
  const [metric] = useQuery('metric', DEFAULT_METRIC);
  const [round] = useQuery('round', 'last');
  return { metric, round };
}

interface MetricChoiceProps {
  readonly metrics: readonly string[];
  /** Rounds after which runs are evaluated, where one can choose between checkpoints. */
  readonly evaluatedRounds?: readonly number[];
}

/** Chooses what is shown of each run; the choice stands in the address. */
export function MetricChoice({ metrics, evaluatedRounds }: MetricChoiceProps) {
  const [metric, setMetric] = useQuery('metric', DEFAULT_METRIC);
  const [round, setRound] = useQuery('round', 'last');
  const shown = metrics.filter((each) => !each.startsWith('best_') || each === 'best_round');
  const ordered = [...FIRST.filter((each) => shown.includes(each)), ...shown.filter((each) => !FIRST.includes(each))];
  const rounds = [
    ['last', 'last'],
    ['best', 'best on validation'],
    ...(evaluatedRounds ?? []).map((each) => [String(each), `after round ${each}`] as const),
  ] as const;
  return (
    <>
      <Choice
        label="Metric"
        value={metric}
        options={ordered.map((each) => [each, metricText(each)])}
        onChoose={setMetric}
      />
      {evaluatedRounds !== undefined && (
        <Choice label="Checkpoint" value={round} options={rounds} onChoose={setRound} />
      )}
    </>
  );
}
