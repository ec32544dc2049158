import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../support/source-files.ts';

/** All of our own code that runs in a product, not in a test. */
const SOURCES = ['cli', 'activities', 'infra', 'learning', 'schemas', 'simulators', 'specification', 'web', 'workflows']
  .flatMap((folder) => filesBelow(folder))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, tree: treeOf(readFileSync(file, 'utf8')) }));

function treeOf(text: string): ts.SourceFile {
  return ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
}

/** Every node of a kind in a file. */
function nodesOf<Node extends ts.Node>(tree: ts.SourceFile, isWanted: (node: ts.Node) => node is Node): Node[] {
  const found: Node[] = [];
  const visit = (node: ts.Node): void => {
    if (isWanted(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Files that hold a node of a kind. */
function filesWith(isWanted: (node: ts.Node) => boolean): string[] {
  const isNode = (node: ts.Node): node is ts.Node => isWanted(node);
  return SOURCES.filter(({ tree }) => nodesOf(tree, isNode).length > 0)
    .map(({ file }) => file)
    .sort();
}

const SQL =
  /\b(select|insert into|update \w+ set|delete from|(create|drop|alter|truncate) (table|database|index))\b|^\W(copy|lock|set) /;
/** A constant of a module; what it is made of is looked at where it is made. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/**
 * Parts of statements that are no constants by their name. Each was looked at: it can only be one of a few words that stand in our
 * code, never a value of a spec, a row, a file or a command line.
 */
const SQL_PARTS: Readonly<Record<string, readonly string[]>> = {
  // Tables of the database, by its own catalogue.
  'cli/bench/growth.ts': ['name'],
  'infra/postgres/artifact-references.ts': ['table', "table === 'rounds' ? `and not (${IS_GIVEN_UP})` : ''", 'text'],
  'infra/postgres/experiment-deletion.ts': ['String(column)', 'String(table)', 'uses'],
  // Tables of our migrations, and columns by the catalogue; in a backup both are checked to be plain words.
  'infra/postgres/backup-load.ts': ['copyTarget(saved)', "tables.join(', ')"],
  'infra/postgres/backup-save.ts': ['copyTarget({ table, columns })'],
  'infra/postgres/backup-tables.ts': ['column', 'table'],
  'infra/postgres/fork-rows.ts': [
    "columns.join(', ')",
    "columns.map((name) => `t.${name}`).join(', ')",
    'condition',
    'table',
  ],
  // Entries of a list in the same file.
  'infra/postgres/deterministic-digest.ts': ['columns', 'key', 'table'],
  'infra/postgres/diagnosis-rows.ts': ['PARTS[part]'],
  'infra/postgres/lineage-rows.ts': ['part'],
  'infra/postgres/measured-scores.ts': [
    "OPTIONAL_SCORES.map((score) => `bool_or(c.${score} is not null) as ${score}`).join(', ')",
  ],
  'infra/postgres/stored-round.ts': ["columns.join(', ')", 'key', 'table'],
  // Words and numbered places ($1, $2, …) that are written in the same file.
  'infra/postgres/experiment-rows.ts': ['conflict', "places.join(', ')", 'target'],
  // Tables, columns and orders of exports are named in `export-tables.ts` and its neighbours, by us alone.
  'infra/postgres/export-rows.ts': ['cursor', 'from', 'ordered', 'selected'],
  'infra/postgres/export-simulator-tables.ts': [
    "NAMING.map((table) => `union select n.simulator_hash from ${RUNS} join ${table} n on n.run_id = r.source_id`).join('\\n ')",
    'table',
  ],
  'infra/postgres/export-table.ts': ['alias', 'order', 'runId', 'table'],
  'infra/postgres/failure-rows.ts': ['order', 'stepColumns'],
  'infra/postgres/result-rows.ts': ['bestScores', 'lastScores'],
  'infra/postgres/run-list.ts': ['join', 'order', 'page.where', 'where'],
  'infra/postgres/run-rows.ts': ['column'],
  'infra/postgres/run-table-rows.ts': ['from', 'selected'],
};

/** What a statement is put together from, beside its own text. */
function sqlParts(tree: ts.SourceFile): string[] {
  const templates = nodesOf(tree, ts.isTemplateExpression)
    .filter((template) => SQL.test(template.getText()))
    .flatMap((template) => template.templateSpans.map(({ expression }) => expression.getText()));
  const sums = nodesOf(tree, ts.isBinaryExpression)
    .filter(({ operatorToken }) => operatorToken.kind === ts.SyntaxKind.PlusToken)
    .filter(({ left, right }) => [left, right].some((side) => ts.isStringLiteralLike(side) && SQL.test(side.text)))
    .map((sum) => sum.getText());
  const parts = [...templates, ...sums].map((part) => part.replaceAll(/\s+/g, ' '));
  return [...new Set(parts)].filter((part) => !CONSTANT.test(part)).sort();
}

describe('statements of SQL', () => {
  it('hold values as parameters only', () => {
    const found = SOURCES.map(({ file, tree }) => [file, sqlParts(tree)] as const);
    expect(Object.fromEntries(found.filter(([, parts]) => parts.length > 0))).toEqual(SQL_PARTS);
  });

  it('are seen here where a value is written into one', () => {
    const planted =
      "query(`select * from runs where id = '${id}'`); query('delete from runs where id = ' + id); `${ALL} ${id}`";
    expect(sqlParts(treeOf(planted))).toEqual(["'delete from runs where id = ' + id", 'id']);
  });
});

/** Where text may be written to the standard streams: everything else goes by `print` and `note`, which let nothing steer a terminal. */
const STREAM_WRITERS: readonly string[] = [
  // Runs when Thaw is built, and not in it.
  'cli/generate.ts',
  // The words of the parser of the command line, made visible.
  'cli/program.ts',
  'cli/terminal/terminal.ts',
];

describe('the standard streams', () => {
  it('are written to in one place', () => {
    const isWrite = (node: ts.Node) =>
      ts.isPropertyAccessExpression(node) && /^(process\.(stdout|stderr)\.write|console\.\w+)$/.test(node.getText());
    expect(filesWith(isWrite)).toEqual(STREAM_WRITERS);
  });
});

/**
 * Where the clock of the day is read. It can be set at any time, so it tells when something was and never how long it took:
 * durations, deadlines and pauses are measured by `performance.now()`.
 */
const CLOCK_READERS: readonly string[] = [
  // Compared with times that the database wrote, in another process.
  'cli/bench/handover.ts',
  'cli/bench/overhead.ts',
  // What happened in the last hour, by the times that the database wrote.
  'cli/commands/logs.ts',
  // Shown to people: when it was made, how long ago it was.
  'cli/export/export-experiments.ts',
  'cli/imports/show-imports.ts',
  'cli/upkeep/make-backup.ts',
  'cli/services/service-verbs.ts',
  'cli/runs/show-experiments.ts',
  'infra/services/supervisor.ts',
  // Compared with the times of files, which outlive processes.
  'infra/artifacts/folder-store.ts',
  'infra/artifacts/garbage.ts',
  'infra/artifacts/write-whole.ts',
  'infra/postgres/checkpoint-retention.ts',
  // The client of Temporal takes deadlines as times of the day; it is two seconds.
  'infra/services/temporal-server.ts',
];

describe('the clock of the day', () => {
  it('is read only where it tells when something was', () => {
    const isClock = (node: ts.Node) =>
      (ts.isPropertyAccessExpression(node) && node.getText() === 'Date.now') ||
      (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0);
    expect(filesWith(isClock)).toEqual([...CLOCK_READERS].sort());
  });
});
