import { installationRoot } from '../../infra/installation.ts';
import { listLeaderboardRuns } from '../../infra/postgres/leaderboard-rows.ts';
import { joinBoards, leaderboard } from '../../learning/results/leaderboard.ts';
import { tableFrom } from '../../learning/results/table.ts';
import {
  ALL_BOARDS_COLUMNS,
  BOARD_COLUMNS,
  boardLines,
  boardTitle,
  sourced,
  type SourcedBoard,
} from './leaderboard-columns.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import { unknownName } from '../simulators/open-world.ts';
import { withDatabase } from '../services/service-session.ts';
import { readBaselines } from '../studies/baseline-files.ts';
import { isForPeople, TABLE_FORMATS, type TableFormatName } from '../table-formats/index.ts';
import { print } from '../terminal/terminal.ts';

export interface LeaderboardRequest {
  /** All families when undefined. */
  readonly family: string | undefined;
  /** The beginning of the hash of a test panel; all panels when undefined. */
  readonly panel: string | undefined;
  /** How many entries of each board people are shown. */
  readonly top: number;
  readonly format: TableFormatName;
}

/**
 * Prints what was reached on every test panel: stored runs and the baselines of the repository.
 * @throws REQUEST_BAD_ARGUMENT when there is no such family, or no board of such a panel
 */
export async function showLeaderboard(request: LeaderboardRequest): Promise<void> {
  const { family = null } = request;
  const stored = await withDatabase((database) => listLeaderboardRuns(database, { family }));
  const boards = joinBoards(
    sourced(leaderboard(stored), 'stored'),
    sourced(readBaselines(installationRoot()), 'baseline'),
  );
  print(leaderboardIn(chosenBoards(boards, request), request));
}

function chosenBoards(boards: readonly SourcedBoard[], { family, panel }: LeaderboardRequest): SourcedBoard[] {
  const families = [...new Set([...Object.keys(DEFAULT_REGISTRIES.families), ...boards.map((board) => board.family)])];
  if (family !== undefined && !families.includes(family)) throw unknownName('family', family, families);
  const ofFamily = boards.filter((board) => family === undefined || board.family === family);
  const chosen = ofFamily.filter(({ panelHash }) => panel === undefined || panelHash.startsWith(panel));
  const known = [...new Set(ofFamily.map(({ panelHash }) => panelHash))];
  if (panel !== undefined && chosen.length === 0) throw unknownName('test panel', panel, known);
  return chosen;
}

function leaderboardIn(boards: readonly SourcedBoard[], { format, top }: LeaderboardRequest): string {
  if (!isForPeople(format)) return TABLE_FORMATS[format](tableFrom(ALL_BOARDS_COLUMNS, boards.flatMap(boardLines)), []);
  if (boards.length === 0) return 'Nothing was measured on a test panel yet.';
  const parts = boards.map((board) => boardText(board, { format, top }));
  return [...parts, ...(format === 'table' ? [LEGEND] : [])].join('\n\n');
}

const LEGEND = [
  'Mean return on the test panel over n seeds, in brackets its 95 % bootstrap interval, none below five. worst: mean over runs of',
  'the return on the simulator that is worst for each. env steps: training, scoring and mining. Where intervals overlap, so do',
  'ranks. baseline: what the studies of the repository reached, see docs/baselines/README.md.',
].join('\n');

function boardText(board: SourcedBoard, { format, top }: { format: TableFormatName; top: number }): string {
  const lines = boardLines(board);
  const more = lines.length > top ? [`… and ${lines.length - top} more; --top ${lines.length} shows all.`] : [];
  const table = tableFrom(BOARD_COLUMNS, lines.slice(0, top));
  return format === 'table'
    ? `${boardTitle(board)}\n\n${TABLE_FORMATS.table(table, more)}`
    : TABLE_FORMATS[format](table, [boardTitle(board), ...more]);
}
