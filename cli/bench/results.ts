import { SHAPES } from '../../learning/results/shapes/index.ts';
import { columnsOf } from '../../learning/results/result-summary.ts';
import { listResultRows } from '../../infra/postgres/result-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { listRunPage } from '../../infra/postgres/run-list.ts';
import { resultsRoute } from '../../web/api/results.ts';
import type { ServiceSession } from '../services/service-session.ts';
import { noteOnTerminal } from '../terminal/terminal.ts';
import { fillDatabase } from './filled-database.ts';
import { exportEpisodes, exportEverything } from './measured-export.ts';
import { inPrivateHome } from './private-home.ts';
import { descendantsOf, processorS } from './process-table.ts';
import { machine, type BenchReport } from './report.ts';
import { serviceProcess } from './victims.ts';

/** Of seeds, by experiment of twenty variants: one of 10 × 20 runs, one of 2 000, and others up to 10 000 in all. */
const SEED_COUNTS = [10, 100, ...Array<number>(39).fill(10)];
/** Before anything is measured: what is asked again and again is warm. */
const WARM_UP = 3;

const TABLE_MS = 100;
const LIST_MS = 100;
const FOLD_MS = 500;

interface Question {
  readonly aimMs: number;
  readonly ask: (database: Database) => Promise<unknown>;
}

/** How long people wait for the tables of a database with a million episodes of ten thousand runs. */
export function benchResults({ repetitions }: { repetitions: number }): Promise<BenchReport> {
  return inPrivateHome(async (session) => {
    const startedAt = performance.now();
    const { ids, filled } = await fillDatabase(session.database, SEED_COUNTS);
    const ours: Record<string, unknown> = { filled: { ...filled, s: (performance.now() - startedAt) / 1000 } };
    const ratios: Record<string, number> = {};
    for (const [name, { aimMs, ask }] of Object.entries(questions(ids[0]!, ids[1]!))) {
      const figures = await figuresOf(session, () => ask(session.database), repetitions);
      noteOnTerminal(`${name}: median ${figures.median.toFixed(1)} ms, p95 ${figures.p95.toFixed(1)} ms`);
      ours[`${name}, ms`] = { aim: aimMs, ...figures };
      ratios[`${name}: p95 over the aim`] = figures.p95 / aimMs;
    }
    const holds = Object.values(ratios).every((ratio) => ratio <= 1);
    ours['episodes to Parquet'] = await exportEpisodes(session, ids);
    ours['all tables to Parquet by thaw export'] = await exportEverything(session, ids);
    return { name: 'results', holds, ratios, ours, peers: [], n: repetitions, machine: machine() };
  });
}

/** What people ask, from the question to the answer as an object; to write it as text takes no time to speak of. */
function questions(small: string, large: string): Readonly<Record<string, Question>> {
  const table = (id: string): Question => ({ aimMs: TABLE_MS, ask: (database) => askTable(database, id) });
  const fold = (id: string): Question => ({ aimMs: FOLD_MS, ask: (database) => askFold(database, id) });
  const list = (page: Partial<Parameters<typeof listRunPage>[2]>, variant?: string): Question => ({
    aimMs: LIST_MS,
    ask: (database) =>
      listRunPage(database, { variant }, { sort: 'newest', isDescending: true, limit: 100, offset: 0, ...page }),
  });
  return {
    'seed × variant table of 200 runs': table(small),
    'seed × variant table of 2 000 runs': table(large),
    'run list, first page': list({}),
    'run list, last page': list({ offset: 9_900 }),
    'run list by held-out return': list({ sort: 'heldout_return' }),
    'run list of some variants': list({}, 'variant_1*'),
    'five metrics of 200 runs folded': fold(small),
    'five metrics of 2 000 runs folded': fold(large),
  };
}

/** As the page asks: a metric of every run, and over seeds with an interval. */
function askTable(database: Database, id: string): Promise<unknown> {
  const context = { database } as Parameters<typeof resultsRoute.load>[0];
  return resultsRoute.load(context, { id, query: { metric: 'heldout_return', round: 'last' } });
}

const METRICS = ['train_return', 'heldout_return', 'worst_heldout', 'collapse_gap', 'relative_gap'];

/** As the command line asks: n, mean, IQM, median, deviation and interval of several metrics of every variant. */
async function askFold(database: Database, id: string): Promise<unknown> {
  const rows = await listResultRows(database, id, 'last', columnsOf(METRICS));
  return SHAPES.fold.build({ rows, metrics: METRICS, by: ['variant'], isForPeople: false, spread: 'std' });
}

interface Figures {
  readonly n: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
  /** Of our process and of Postgres together: what it takes however busy the machine is with other things. */
  readonly processor: number;
}

async function figuresOf(
  { configuration }: ServiceSession,
  work: () => Promise<unknown>,
  repetitions: number,
): Promise<Figures> {
  for (let index = 0; index < WARM_UP; index += 1) await work();
  const processorBefore = processorMs(configuration.home);
  const times: number[] = [];
  for (let index = 0; index < repetitions; index += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  const processor = (processorMs(configuration.home) - processorBefore) / repetitions;
  const sorted = times.sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { n: sorted.length, median: at(0.5), p95: at(0.95), max: sorted.at(-1)!, processor };
}

function processorMs(home: string): number {
  const postgres = serviceProcess(home, 'postgres')!;
  const pids = [process.pid, postgres, ...descendantsOf(postgres)];
  const ended = processorS(postgres).ended;
  return 1000 * pids.reduce((sum, pid) => sum + processorS(pid).own, ended);
}
