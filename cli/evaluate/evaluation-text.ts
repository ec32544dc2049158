import type { Verdict } from '../../learning/measures/collapse.ts';
import type { Column } from '../../learning/results/column.ts';
import { countText, measureText } from '../../web/documents/quantity-text.ts';
import { listingText } from '../table-formats/listing.ts';
import { LOSS_LEGEND, sensitivityTables } from '../results/sensitivity-text.ts';
import { colorsFor } from '../terminal/terminal.ts';
import { readColumns, simulatorResults } from './evaluation-columns.ts';
import { type MeasuredScore, measuredScores } from './evaluation-scores.ts';
import type { Evaluated } from './evaluate-policies.ts';

/** What was found, for people: what was played, the simulators, the verdict, and what the policy depends on. */
export function evaluationText(evaluated: Evaluated): string {
  const { sensitivities, panel } = evaluated;
  const variants = { policy: panel.resolved };
  const rows = sensitivities.map((row) => ({ variant: 'policy', seed: panel.resolved.evaluation.seed, ...row }));
  const scores = measuredScores(evaluated);
  return [
    headText(evaluated),
    listingText(readColumns(evaluated), simulatorResults(evaluated), 'table'),
    listingText(
      SCORE_COLUMNS,
      scores.filter(({ key, value }) => isShown(key) && value !== null),
      'table',
    ),
    verdictText(scores, panel.resolved.verdict),
    ...sensitivityTables(variants, rows),
    ...(rows.length === 0 ? [] : [LEGEND]),
  ].join('\n\n');
}

function headText({ panel, policies }: Evaluated): string {
  const { resolved, world, name } = panel;
  const { final_episodes: episodes, seed, policy_mode: mode } = resolved.evaluation;
  return [
    `${name}: ${world.family}, seats ${resolved.learners.join(', ')}; ${countText(episodes)} episodes of each simulator from ` +
      `evaluation seed ${seed}, ${mode === 'sampled' ? 'actions drawn' : 'most probable actions'}`,
    ...[...policies].map(([group, { file, description, model }]) => {
      const { role, seats } = world.groups[group]!;
      const parts = [
        description.identitySize > 0 && 'with the identity of the seat',
        model.memorySize > 0 && `a memory of ${model.memorySize}`,
        model.isCertain === true && 'gives its action alone',
      ];
      return [`${file} plays ${role} (of seats ${seats.join(', ')})`, ...parts.filter((part) => part !== false)].join(
        ', ',
      );
    }),
  ].join('\n');
}

const LEGEND = [
  'The policy on the train panel with one thing changed: loss (return).',
  LOSS_LEGEND,
  'cliff: that change of a rule, which is only ±5 %, costs more than a tenth.',
].join('\n');

/** Gains are in the other formats: the gap is made of them. */
const isShown = (key: string): boolean => !['verdict', 'train_gain', 'heldout_gain'].includes(key);

const SCORE_COLUMNS: readonly Column<MeasuredScore>[] = [
  { key: 'measure', value: ({ key }) => key.replaceAll('_', ' ') },
  { key: 'value', kind: 'measure', align: 'right', value: ({ value }) => value },
  {
    key: 'interval',
    title: '95 % interval over episodes',
    value: ({ interval }) => interval && `[${interval.map(measureText).join(', ')}]`,
  },
];

const WORDS: Readonly<Record<Verdict, string>> = {
  healthy: 'what it learnt holds on the test panel',
  watch: 'part of what it learnt is lost on the test panel',
  collapsed: 'much of what it learnt is lost on the test panel',
  untrained: 'it does no better than chance where it was trained, so there is nothing to lose',
};

function verdictText(
  scores: readonly MeasuredScore[],
  { watch, collapsed }: { readonly watch: number; readonly collapsed: number },
): string {
  const found = (key: string) => scores.find((score) => score.key === key)?.value ?? null;
  const verdict = found('verdict') as Verdict | null;
  if (verdict === null) return 'No verdict: the test panel is empty, so nothing was held out.';
  const { bold } = colorsFor(process.stdout);
  const gap = found('relative_gap') as number;
  const isEasier = verdict === 'healthy' && gap < 0 ? '; the test panel is the easier one' : '';
  const limits = Number.isNaN(gap)
    ? ''
    : ` (relative gap ${measureText(gap)}; watch from ${watch}, collapsed above ${collapsed})`;
  return `verdict ${bold(verdict)}: ${WORDS[verdict]}${isEasier}${limits}`;
}
