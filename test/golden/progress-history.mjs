/**
 * Makes a history of what takes how long for `test/golden` of what the log of an experiment tells:
 *
 *     thaw logs ID --all -o json | node test/golden/progress-history.mjs experiments/NAME.json "COMMAND" > FILE
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const [file, command] = process.argv.slice(2);
const lines = readFileSync(0, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const told = lines.flatMap(({ run, attempt }) => (attempt === undefined ? [] : [{ run, ...attempt }]));
const timesOf = ({ started_at: start, ended_at: end }) => [Date.parse(start), Date.parse(end)];
const firstMs = Math.min(...told.map((attempt) => timesOf(attempt)[0]));
const attempts = told
  .map((attempt) => {
    const [startMs, endMs] = timesOf(attempt);
    const run = attempt.run.slice(attempt.run.indexOf('/') + 1);
    return [run, attempt.kind, attempt.round, startMs - firstMs, endMs - firstMs, attempt.outcome];
  })
  .sort((a, b) => a[3] - b[3]);
const certificate = {
  command,
  machine: `${availableParallelism()} processors, shared with other work`,
  node: process.versions.node,
  recorded: new Date(firstMs).toISOString(),
};
const rows = attempts.map((row) => `    ${JSON.stringify(row)}`).join(',\n');
const document = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
process.stdout.write(
  `{\n  "certificate": ${JSON.stringify(certificate)},\n  "document": ${document},\n  "attempts": [\n${rows}\n  ]\n}\n`,
);
