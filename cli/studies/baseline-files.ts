import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Board, BoardEntry } from '../../learning/results/leaderboard.ts';
import type { Interval } from '../../learning/statistics/bootstrap.ts';
import { jsonText } from '../table-formats/json-text.ts';

const FOLDER = 'docs/baselines';

const number = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)]);
const interval = z.tuple([number, number]).nullable();

const fileSchema = z.strictObject({
  family: z.string(),
  made_by: z.string(),
  boards: z.array(
    z.strictObject({
      family_version: z.string(),
      panel: z.string(),
      panel_simulators: z.int(),
      learners: z.array(z.int()),
      entries: z.array(
        z.strictObject({
          variants: z.array(z.string()).min(1),
          variant_hash: z.string(),
          n: z.int(),
          heldout_return: number,
          heldout_return_ci95: interval,
          worst_heldout: number.nullable(),
          relative_gap: number.nullable(),
          relative_gap_ci95: interval,
          env_steps: number.nullable(),
        }),
      ),
    }),
  ),
});
type BaselineFile = z.infer<typeof fileSchema>;
type StoredBoard = BaselineFile['boards'][number];

/** The committed baselines: one file a family. @param root of the installation */
export function readBaselines(root: string): Board[] {
  const folder = path.join(root, FOLDER);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((name) => {
    const file = fileSchema.parse(JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
    return file.boards.map((board) => boardFrom(file.family, board));
  });
}

/** The files of baselines: path from the root of the repository → content. */
export function baselineFiles(boards: readonly Board[]): Record<string, string> {
  const families = [...new Set(boards.map(({ family }) => family))].sort();
  return Object.fromEntries(
    families.map((family) => {
      const own = boards.filter((board) => board.family === family).map(storedBoard);
      const file: BaselineFile = { family, made_by: 'npm run generate, from docs/studies/data', boards: own };
      return [path.posix.join(FOLDER, `${family}.json`), `${jsonText(file, 2)}\n`];
    }),
  );
}

function boardFrom(family: string, board: StoredBoard): Board {
  return {
    family,
    familyVersion: board.family_version,
    panelHash: board.panel,
    panelSize: board.panel_simulators,
    learners: board.learners,
    entries: board.entries.map((entry) => ({
      names: entry.variants,
      variantHash: entry.variant_hash,
      n: entry.n,
      heldoutReturn: entry.heldout_return,
      interval: entry.heldout_return_ci95,
      worstHeldout: entry.worst_heldout,
      relativeGap: entry.relative_gap,
      relativeGapInterval: entry.relative_gap_ci95,
      envSteps: entry.env_steps,
    })),
  };
}

function storedBoard({ familyVersion, panelHash, panelSize, learners, entries }: Board): StoredBoard {
  return {
    family_version: familyVersion,
    panel: panelHash,
    panel_simulators: panelSize,
    learners: [...learners],
    entries: entries.map(storedEntry),
  };
}

function storedEntry(entry: BoardEntry): StoredBoard['entries'][number] {
  return {
    variants: [...entry.names],
    variant_hash: entry.variantHash,
    n: entry.n,
    heldout_return: entry.heldoutReturn,
    heldout_return_ci95: ends(entry.interval),
    worst_heldout: entry.worstHeldout,
    relative_gap: entry.relativeGap,
    relative_gap_ci95: ends(entry.relativeGapInterval),
    env_steps: entry.envSteps,
  };
}

function ends(pair: Interval | null): [number, number] | null {
  return pair === null ? null : [pair[0], pair[1]];
}
