import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { installationRoot } from '../installation.ts';

/** A table as it was saved: the columns that its file holds, in their order. */
export interface SavedColumns {
  readonly table: string;
  readonly columns: readonly string[];
}

const folder = (): string => path.join(installationRoot(), 'infra/postgres/migrations');

/** Names of this program's migrations, in their order. */
export function listMigrations(): string[] {
  return readdirSync(folder())
    .filter((name) => name.endsWith('.sql'))
    .map((name) => path.basename(name, '.sql'))
    .sort();
}

/** The tables that some migrations make. In this order every row comes after those that it refers to. */
export function listTables(migrations: readonly string[]): string[] {
  return migrations.flatMap((name) => {
    const text = readFileSync(path.join(folder(), `${name}.sql`), 'utf8');
    return [...text.matchAll(/^create table (?:if not exists )?([a-z_]+)/gm)].map((found) => found[1]!);
  });
}

/** The last migration of a database; null when it has none. */
export async function findLevel(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by id desc limit 1');
  return rows[0]?.name ?? null;
}

/** Columns of a table that are not computed from others. */
export async function listColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name::text from information_schema.columns
      where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows.map((row) => row.column_name);
}

/** `"table" ("column", …)`, as COPY wants it. */
export function copyTarget({ table, columns }: SavedColumns): string {
  return `"${table}" (${columns.map((name) => `"${name}"`).join(', ')})`;
}

/** Lets the numbers that a table counts up go on after the largest that is in it. */
export async function advanceCounters(client: pg.ClientBase, { table, columns }: SavedColumns): Promise<void> {
  for (const column of columns) {
    const { rows } = await client.query<{ counter: string | null }>(
      'select pg_get_serial_sequence($1, $2) as counter',
      [`"${table}"`, column],
    );
    const counter = rows[0]?.counter ?? null;
    if (counter === null) continue;
    await client.query(`select setval($1, coalesce((select max("${column}") from "${table}"), 0) + 1, false)`, [
      counter,
    ]);
  }
}
