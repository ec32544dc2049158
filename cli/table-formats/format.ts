import type { Table } from '../../learning/results/table.ts';

/** A way to write a table; `notes` are what a reader must know, and only formats for people have a place for them. */
export type TableFormat = (table: Table, notes: readonly string[]) => string;
