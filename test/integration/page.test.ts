import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/postgres/database.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { setRunState } from '../../infra/postgres/run-rows.ts';
import { numberText } from '../../web/page/parts/number-text.ts';
import { accessProblems, useBrowser } from '../support/browser.ts';
import { startPage, type RunningPage } from '../support/page-server.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishGrid, heldoutReturn, SEEDS, seedGrid, trainRound, VARIANTS } from '../support/seeded-page.ts';

const MANY_SEEDS = 3_334;
const REASON = 'a <b>bad</b> end';

let postgres: TestPostgres;
let database: Database;
let url: string;
let server: RunningPage;
const orders: string[] = [];
const browser = useBrowser();

beforeAll(async () => {
  postgres = await startTestPostgres();
  ({ database, url } = await postgres.createDatabase());
  await seedGrid(database, 'finished');
  await finishGrid(database, 'finished');
  await seedGrid(database, 'going');
  await trainRound(database, { id: 'going', variant: 'pool', seed: 0 }, 1);
  await setRunState(database, runId('going', 'frozen', 0), 'FAILED', REASON);
  const control = {
    give: async (order: string, { id }: { id: string }) => {
      orders.push(`${order} ${id}`);
      return `${order}: done.`;
    },
  };
  server = await startPage(url, { control });
});
afterAll(async () => {
  await server?.close();
  await postgres?.stop();
});

const open = async (path: string, options = {}): Promise<Page> =>
  (await browser.open(`${server.url}${path}`, options)).page;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const table = (page: Page) => page.getByRole('table').first();

/** Every view of an experiment: its address, its tab, and what is to be seen there. */
const VIEWS = [
  ['', 'Overview', 'Seed × variant: held-out return'],
  ['/runs', 'Runs', `1`],
  ['/curves', 'Curves', 'Trained on against held out'],
  ['/returns', 'Per simulator', 'Held out (test)'],
  ['/comparison', 'Comparison', 'Performance profiles'],
  ['/sensitivity', 'Perturbations', 'Every scripted partner in turn'],
  ['/matrices', 'Distances', 'thaw cross-play finished'],
  ['/diagnosis', 'Diagnosis', 'Remedy:'],
  ['/spec', 'Spec', '"max_concurrent_runs"'],
] as const;

describe('a finished experiment', () => {
  it('is found in the list, and every view of it is one click away', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: 'finished', exact: true }).click();
    for (const [path, tab, text] of VIEWS) {
      await page.getByRole('link', { name: tab, exact: true }).last().click();
      await page.getByText(text).first().waitFor();
      expect(new URL(page.url()).pathname).toBe(`/experiments/finished${path}`);
      await page.waitForFunction(`/ · finished · Thaw$/.test(document.title)`);
      expect(await accessProblems(page), tab).toEqual([]);
    }
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe(`/experiments/finished${VIEWS.at(-2)![0]}`);
  });

  it('shows every run of the table, and what the variants are over seeds', async () => {
    const page = await open('/experiments/finished');
    await table(page).waitFor();
    const rows = await table(page).locator('tbody tr').allInnerTexts();
    const shown = SEEDS.map((seed) =>
      VARIANTS.map((variant) => heldoutReturn(variant, seed).toFixed(2).replace('-', '−')),
    );
    expect(rows.map((row) => row.split(/\s+/))).toEqual(
      shown.map((values, index) => [String(SEEDS[index]), ...values]),
    );
    const folds = (await table(page).locator('tfoot tr').allInnerTexts()).map((row) => row.split('\t'));
    const means = VARIANTS.map(
      (variant) => SEEDS.reduce((sum, seed) => sum + heldoutReturn(variant, seed), 0) / SEEDS.length,
    );
    expect(folds[0]).toEqual(['n', ...VARIANTS.map(() => `${SEEDS.length} of ${SEEDS.length}`)]);
    expect(folds[1]).toEqual(['Mean', ...means.map(numberText)]);
    await page.getByLabel('Checkpoint').selectOption('after round 2');
    const early = -20 + ((20 + heldoutReturn('pool', 0)) * 2) / 5;
    await page
      .getByTitle(/^pool, seed 0:/)
      .getByText(early.toFixed(2).replace('-', '−'))
      .waitFor();
    await page.goBack();
    await page.getByLabel('Metric').selectOption('relative_gap');
    await page.getByRole('link', { name: 'NaN' }).waitFor();
  });

  it('draws curves, and tells the same as a table', async () => {
    const page = await open('/experiments/finished/curves');
    await page.locator('canvas').first().waitFor();
    await page.getByText('Show as table').first().click();
    const values = page.getByRole('table', { name: 'Mean return, values' });
    await values.waitFor();
    expect(await values.locator('tbody tr').count()).toBe(5);
    expect(await values.locator('tbody tr').last().innerText()).toContain(`(n = ${SEEDS.length})`);
    await page.getByRole('button', { name: 'pool' }).click();
    expect(new URL(page.url()).searchParams.get('without')).toBe('pool');
    await values.getByRole('columnheader', { name: /pool/ }).first().waitFor({ state: 'detached' });
  });
});

describe('the keyboard', () => {
  it('leads past the head, through the cells of the table, into a run, and back', async () => {
    const page = await open('/experiments/finished?metric=train_return');
    await table(page).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').innerText()).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.locator(':focus').getAttribute('id')).toBe('main');
    await table(page).getByRole('link').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const title = await page.locator(':focus').getAttribute('title');
    expect(title).toContain(`${VARIANTS[1]}, seed ${SEEDS[1]}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/runs/${encodeURIComponent(runId('finished', VARIANTS[1]!, SEEDS[1]!))}`);
    await page.locator('#main:focus').waitFor();
    await page.goBack();
    await page.getByText('Seed × variant: train return').waitFor();
  });
});

describe('a running experiment', () => {
  it('is followed by events, in its table and in the lists', async () => {
    const [page, list] = [await open('/experiments/going'), await open('/')];
    await table(page).getByText('failed').waitFor();
    await list.getByRole('row', { name: /going/ }).getByText('1 running').waitFor();
    await page.getByText('Live').waitFor();
    await list.getByText('Live').waitFor();
    await trainRound(database, { id: 'going', variant: 'pool', seed: 1 }, 1);
    await setRunState(database, runId('going', 'frozen', 1), 'TIMED_OUT', 'stalled');
    await table(page).getByText('timed out').waitFor();
    await list.getByRole('row', { name: /going/ }).getByText('2 running').waitFor();
    expect(await accessProblems(page)).toEqual([]);
  });

  it('takes orders, and asks before it throws work away', async () => {
    const page = await open('/experiments/going');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('pause: done.').first().waitFor();
    await page.getByRole('button', { name: 'Kill' }).click();
    await page.getByRole('button', { name: 'No, leave it' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await accessProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Yes, cancel it' }).click();
    await page.getByText('cancel: done.').first().waitFor();
    expect(orders).toEqual(['pause going', 'cancel going']);
  });
});

describe('the list of runs', () => {
  it('is filtered, sorted and narrowed by its address, shows text as text, and remembers hidden columns', async () => {
    const page = await open('/runs');
    await page.getByLabel('Id or reason contains').fill('<b>');
    await page.getByText('1 run', { exact: true }).waitFor();
    await page.getByText(REASON).waitFor();
    expect(await table(page).locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Id or reason contains').fill('');
    await page.getByText(`${2 * VARIANTS.length * SEEDS.length} runs`).waitFor();
    await page.getByRole('button', { name: /Held-out return/ }).click();
    await page.getByRole('button', { name: /Held-out return/ }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await page
      .locator('[aria-busy=false] tbody tr')
      .first()
      .getByText(`${VARIANTS.at(-1)} · ${SEEDS.at(-1)}`)
      .waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-heldout_return');
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Env steps').uncheck();
    expect(await accessProblems(page)).toEqual([]);
    await page.goto(`${server.url}/runs`);
    await table(page).waitFor();
    expect(await page.getByRole('columnheader', { name: /Env steps/ }).count()).toBe(0);
  });

  it('opens with ten thousand runs, as the page of their experiment does', async () => {
    await seedGrid(database, 'many', { seeds: { first: 0, count: MANY_SEEDS } });
    const total = numberText(VARIANTS.length * MANY_SEEDS);
    for (const [path, text] of [
      ['/', `${total}`],
      ['/runs', '1 to 100 of'],
      ['/experiments/many/runs', `1 to 100 of ${total} runs`],
    ] as const) {
      const sinceMs = performance.now();
      const page = await open(path);
      await page.getByText(text).first().waitFor();
      console.log(`${path} with ${total} runs: ${Math.round(performance.now() - sinceMs)} ms to its first view`);
    }
  });
});

describe('colours', () => {
  const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

  it('are as the system has them, unless chosen, and can be read in dark and on a phone', async () => {
    const light = await ground(await open('/', { colorScheme: 'light' }));
    const page = await open('/experiments/finished', { colorScheme: 'dark', viewport: { width: 400, height: 800 } });
    await table(page).waitFor();
    const dark = await ground(page);
    expect(dark).not.toBe(light);
    expect(await accessProblems(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByLabel('Colours').selectOption('light');
    expect(await ground(page)).toBe(light);
    await page.reload();
    await heading(page).waitFor();
    expect(await ground(page)).toBe(light);
  });
});

describe('trouble', () => {
  it('is said with what to do', async () => {
    const opened = await browser.open(`${server.url}/experiments/nothing`);
    await opened.page.getByRole('alert').waitFor();
    expect(await opened.page.getByRole('alert').innerText()).toContain('nothing');
    expect(opened.problems.splice(0).every((problem) => problem.includes('404'))).toBe(true);
    expect(await heading(await open('/nowhere')).innerText()).toBe('No such page');
  });

  it('of the connection is said, and what was known stays', async () => {
    const own = await startPage(url);
    const opened = await browser.open(`${own.url}/experiments/finished`);
    await opened.page.getByText('Live').waitFor();
    await table(opened.page).waitFor();
    await own.close();
    await opened.page.getByText('Connection lost').waitFor();
    expect(await table(opened.page).isVisible()).toBe(true);
    expect(opened.problems.splice(0).every((problem) => problem.includes('ERR_'))).toBe(true);
  });
});
