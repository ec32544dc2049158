import type { Board } from '../../learning/results/leaderboard.ts';
import { tableFrom } from '../../learning/results/table.ts';
import { BOARD_COLUMNS, boardLines, boardTitle, sourced } from '../comparison/leaderboard-columns.ts';
import { markdownFormat } from '../table-formats/markdown.ts';
import { baselineBoards } from './baselines.ts';
import { baselineFiles } from './baseline-files.ts';

const COLUMNS = BOARD_COLUMNS.filter(({ key }) => key !== 'source');

const INTRODUCTION = `# Baselines

What the [studies](../studies/README.md) of this repository reached, ranked by the mean return on the test panel: one table for
each family, test panel and choice of learning seats. \`thaw leaderboard\` shows them beside the runs that are stored. The files
\`FAMILY.json\` beside this page hold the same in full precision. All of it is made by \`npm run generate\` from \`docs/studies/data\`
and \`experiments/\`; the parts of studies that count are marked \`leaderboard\` in \`docs/studies/studies.json\`.

n counts seeds. In brackets stand 95 % bootstrap intervals over seeds; there is none below five. *worst* is the mean over runs of
the return on the test simulator that is worst for each. *relative gap* is the share of what was learnt over random that is lost
on the test panel, all seeds together. *env steps* are those of training, scoring and mining. A variant that several experiments
have is one line. Ranks are by the mean alone: where intervals overlap, so do ranks.`;

/** The committed baselines and their page, from what the studies measured. */
export function baselinePages(): Record<string, string> {
  const boards = baselineBoards('docs/studies', 'experiments');
  return { ...baselineFiles(boards), 'docs/baselines/README.md': pageText(boards) };
}

function pageText(boards: readonly Board[]): string {
  const parts = sourced(boards, 'baseline').map((board) =>
    [`## ${boardTitle(board)}`, markdownFormat(tableFrom(COLUMNS, boardLines(board)), [])].join('\n\n'),
  );
  return `${[INTRODUCTION, ...parts].join('\n\n')}\n`;
}
