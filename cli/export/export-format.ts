import type { ArtifactStore } from '../../infra/artifacts/artifact-store.ts';
import type { Database } from '../../infra/postgres/database.ts';
import type { ExperimentRecord } from '../../infra/postgres/experiment-rows.ts';

/** What an export is made from, and who is told about it. */
export interface ExportSource {
  /** Rows as they are at one moment. */
  readonly snapshot: Database;
  readonly artifacts: ArtifactStore;
  readonly experiments: readonly ExperimentRecord[];
  readonly folder: string;
  /** Told how far it has come. */
  readonly onProgress: (text: string) => void;
  /** Told, in a sentence, what whoever reads the files should know. */
  readonly onNote: (text: string) => void;
}

/** A file of an export. */
export interface WrittenFile {
  /** Its path within the folder. */
  readonly file: string;
  /** Rows, policies or scalars in it; null where nothing is counted. */
  readonly rows: number | null;
  readonly bytes: number;
}

/** Writes the files of one format. */
export type ExportFormat = (source: ExportSource) => Promise<readonly WrittenFile[]>;
