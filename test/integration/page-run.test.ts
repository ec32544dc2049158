import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginAttempt, endAttempt } from '../../infra/postgres/attempt-rows.ts';
import type { Database } from '../../infra/postgres/database.ts';
import { insertRunEvent } from '../../infra/postgres/event-rows.ts';
import { runId } from '../../infra/postgres/experiment-rows.ts';
import { setRunState } from '../../infra/postgres/run-rows.ts';
import { openWorld } from '../../specification/open-world.ts';
import { DEFAULT_REGISTRIES } from '../../specification/registries.ts';
import type { World } from '../../simulators/contract.ts';
import type { Control } from '../../web/orders.ts';
import { accessProblems, useBrowser } from '../support/browser.ts';
import { startPage, type RunningPage } from '../support/page-server.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { finishRun, seedExperiment } from '../support/seeded-experiment.ts';
import { MINED_ROUND, seedFailures, type SeededFailures } from '../support/seeded-failures.ts';
import { seedImport } from '../support/seeded-import.ts';
import { EPISODES, seedLineage } from '../support/seeded-lineage.ts';

const ID = 'example-1';
const FINISHED = runId(ID, 'frozen', 0);
const DESCENDED = runId(ID, 'pool', 0);
const MINED = runId(ID, 'pool', 1);
const HOSTILE = '<img src=x onerror=alert(1)>';

const browser = useBrowser();
let postgres: TestPostgres;
let database: Database;
let server: RunningPage;
let world: World;
let seeded: SeededFailures;
const ordered: (readonly [order: string, id: string])[] = [];
const control: Control = {
  async give(order, { id }) {
    ordered.push([order, id]);
    return 'it is noted';
  },
};

beforeAll(async () => {
  postgres = await startTestPostgres();
  const created = await postgres.createDatabase();
  database = created.database;
  const { variants } = await seedExperiment(database, { id: ID });
  world = openWorld(variants['pool']!, DEFAULT_REGISTRIES);
  await finishRun(database, FINISHED);
  await seedImport(database, ID, { name: 'near', source: HOSTILE, licence: 'CC-BY-4.0', personalData: 'removed' });
  await seedLineage(database, DESCENDED, variants['pool']!);
  await failForMemory(DESCENDED);
  seeded = await seedFailures(database, MINED, world);
  server = await startPage(created.url, { control });
});
afterAll(async () => {
  await server?.close();
  await postgres.stop();
});

const settings = { memoryLimitMib: 512, samplerProcesses: 1, chunkRows: 1024 };

/** An attempt that wrote a long log and then wanted too much. */
async function failForMemory(run: string): Promise<void> {
  const token = await beginAttempt(database, {
    ...{ runId: run, kind: 'train_round', round: 5, worker: 'w', fingerprint: {} },
    settings,
  });
  const lines = Array.from({ length: 2000 }, (_, line) => `line ${line} ${HOSTILE}`);
  await endAttempt(database, token, {
    ...{ outcome: 'out_of_memory', message: 'it wanted too much', processId: 77, exitCode: null, signal: 'SIGKILL' },
    ...{ logTail: lines.join('\n'), peakRssMib: 530 },
  });
  await database.query('update attempts set next_change = $2 where run_id = $1 and number = $3', [
    run,
    'chunk_rows 1024 → 512',
    token.number,
  ]);
  await insertRunEvent(database, run, 'retrying', `try again ${HOSTILE}`);
}

const addressOf = (run: string, part = '') => `${server.url}/runs/${encodeURIComponent(run)}${part}`;
const failureAt = (place: number) => `${server.url}/failures/${encodeURIComponent(`${MINED}:${MINED_ROUND}.${place}`)}`;
const textOf = (page: Page) => page.locator('main').innerText();

/** Opens an address and waits for what should be there. */
async function seen(url: string, awaited: string, options: Parameters<typeof browser.open>[1] = {}): Promise<Page> {
  const { page } = await browser.open(url, options);
  await page.getByText(awaited).first().waitFor();
  return page;
}

const VIEWS = [
  ['its results', () => addressOf(FINISHED), 'Its policies'],
  ['its curves', () => addressOf(DESCENDED, '/curves'), 'Returns by simulator'],
  ['its pool', () => addressOf(DESCENDED, '/pool'), 'Pool over rounds'],
  ['its lineage', () => addressOf(DESCENDED, '/lineage'), 'refused candidate'],
  ['its attempts', () => addressOf(DESCENDED, '/attempts'), 'Changed for the next'],
  ['its log', () => addressOf(DESCENDED, '/log'), 'try again'],
  ['its experiment, with what was recorded elsewhere', () => `${server.url}/experiments/${ID}`, 'Recorded elsewhere'],
  ['failures', () => `${server.url}/experiments/${ID}/failures?seed=1`, 'the worst first'],
  ['a replay', () => failureAt(1), 'The key moment in words'],
] as const;

describe.each(VIEWS)('the page shows %s', (_, url, awaited) => {
  it('to everybody, in light colours on a desk and in dark ones on a telephone', async () => {
    const page = await seen(url(), awaited);
    expect(await accessProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 400, height: 800 });
    expect(await accessProblems(page)).toEqual([]);
    // Wide things move within themselves: the page as a whole fits.
    const overhang = 'document.documentElement.scrollWidth - window.innerWidth';
    expect(await page.evaluate(overhang)).toBeLessThanOrEqual(0);
  });
});

it('an experiment has its imports, with source, licence and personal data as they were written', async () => {
  const page = await seen(`${server.url}/experiments/${ID}`, 'Recorded elsewhere');
  const [row] = await page.getByRole('table', { name: 'Imports' }).locator('tbody tr').allInnerTexts();
  expect(row!.split('\t')).toEqual(['near', HOSTILE, 'CC-BY-4.0', 'removed']);
});

describe('a run', () => {
  it('tells what was measured apart from what was not, and what each number is', async () => {
    const page = await seen(addressOf(FINISHED), 'Its policies');
    const row = (name: string) => page.getByRole('row', { name, exact: false }).first();
    expect(await row('relative gap').innerText()).toMatch(/0\.5/);
    expect(await row('specialist regret').innerText()).toContain('–');
    expect(await row('roughness').innerText()).toContain('NaN');
    expect(await page.title()).toBe('Results · frozen, seed 0 · Thaw');
  });

  it('has its curves as tables, too', async () => {
    const page = await seen(addressOf(DESCENDED, '/curves'), 'Returns by simulator');
    await page.getByText('Show as table').first().click();
    expect(await page.getByRole('table').first().innerText()).toContain('while training');
  });

  it('says why a simulator is in its pool once it is chosen by the arrow keys, and leads to its failure', async () => {
    const { page, problems } = await browser.open(addressOf(DESCENDED, '/pool'));
    await page.getByRole('radio').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const facts = page.locator('.lane-facts');
    await facts.getByText('most to learn').waitFor();
    expect(await facts.innerText()).toMatch(/top~1[^]*rounds 3–, still in it[^]*0\.2500, at first 0\.7500[^]*0\.3750/);
    // The address tells it, so that somebody else can be shown it.
    await page.waitForURL(/simulator=top/);
    await facts.getByRole('link', { name: 'failure 2.1' }).click();
    // Nothing was ever played for it: it is refused rather than drawn.
    await page.getByText('does not go as it went').waitFor();
    expect(problems.splice(0).join()).toContain('500');
  });

  it('has its simulators under what they were made from, with what each taught', async () => {
    const page = await seen(addressOf(DESCENDED, '/lineage'), 'refused candidate');
    const nested = page.locator('.lineage .lineage .lineage');
    expect(await nested.innerText()).toMatch(/^top~2/);
    expect(await page.locator('.lineage').first().innerText()).toContain(`n = ${3 * EPISODES} episodes`);
    expect(await textOf(page)).not.toContain('too easy');
    await page.getByText('1 refused candidate').click();
    await page.getByText('too easy').waitFor();
  });

  it('shows an attempt that failed with its memory and, on demand, all of its log as text', async () => {
    const page = await seen(addressOf(DESCENDED, '/attempts?which=open'), 'Changed for the next');
    const attempt = page.locator('.attempt').first();
    expect(await attempt.innerText()).toMatch(
      /out of memory, signal SIGKILL[^]*530 of 512 MiB[^]*chunk_rows 1024 → 512/,
    );
    await attempt.getByText('What it wrote last').click();
    expect(await attempt.locator('pre').innerText()).toContain(`line 1999 ${HOSTILE}`);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('is followed as it happens: its log, its rounds and its state', async () => {
    const page = await seen(addressOf(MINED, '/log'), 'New ones appear');
    await page.getByText('Live').waitFor();
    await insertRunEvent(database, MINED, 'paused', 'somebody has paused it');
    await setRunState(database, MINED, 'PAUSED', 'paused by a person');
    await page.getByText('somebody has paused it').waitFor();
    await page.getByText('paused by a person').first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('it is noted').first().waitFor();
    expect(ordered).toEqual([['resume', MINED]]);
  });

  it('that there is not is told, with what to do', async () => {
    const { page, problems } = await browser.open(addressOf(runId(ID, 'nobody', 0)));
    await page.getByRole('alert').waitFor();
    expect(await textOf(page)).toContain('No run is called');
    expect(problems.splice(0).join()).toContain('404');
  });
});

describe('the gallery of failures', () => {
  it('shows the key moments, the worst first, and narrows down by what the address tells', async () => {
    const page = await seen(`${server.url}/experiments/${ID}/failures?variant=pool&seed=1`, 'the worst first');
    await page.locator('.card .scene').nth(2).waitFor();
    const titles = await page.locator('.card-title').allInnerTexts();
    expect(titles).toEqual(seeded.failures.map(({ name }) => `${name}, round ${MINED_ROUND}`));
    await page.getByLabel('Group').fill('1');
    await page.locator('.card').nth(1).waitFor({ state: 'detached' });
    expect(await page.locator('.card-title').allInnerTexts()).toEqual([`taught, round ${MINED_ROUND}`]);
    await page.waitForURL(/group=1/);
    await page.locator('.card a').click();
    await page.getByText('The key moment in words').waitFor();
    await page.goBack();
    await page.locator('.card').waitFor();
  });

  it('says of an episode that does not go as it went that there is no picture of it', async () => {
    const { page, problems } = await browser.open(`${server.url}/experiments/${ID}/failures?variant=pool&seed=0`);
    await page.getByText('No picture').waitFor();
    expect(problems.splice(0).join()).toContain('500');
  });
});

describe('the replay of a failure', () => {
  const calm = { reducedMotion: 'reduce' } as const;

  it('has the frames of the stored episode', async () => {
    const page = await seen(failureAt(1), 'The key moment in words', calm);
    const { actions, key, return: total } = seeded.failures[0]!;
    const batch = world.createBatch(1);
    const simulator = seeded.simulators[0]!;
    batch.reset(0, world.compile(simulator), key);
    for (const [step, action] of [...actions.entries()].slice(0, 4)) {
      const drawn = world.draw(batch.state(0), simulator.rules).shapes.filter(({ role }) => role === 'seat');
      await standsAt(page, `Step ${step} of ${actions.length}`);
      expect(await seatPlaces(page)).toEqual(drawn.map(({ x, y }) => [x, -y].map((each) => each.toFixed(6))));
      void batch.step(Int32Array.from(action));
      await page.getByRole('button', { name: 'Step', exact: true }).click();
    }
    await page.getByText('Show as table').click();
    const rows = await page.getByRole('table', { name: 'The episode step by step' }).getByRole('row').allInnerTexts();
    expect(rows).toHaveLength(actions.length + 2);
    expect(rows.at(-1)!.replaceAll('−', '-')).toContain(total.toFixed(2));
  });

  it('stands still where motion is unwelcome, and obeys the keyboard', async () => {
    const page = await seen(failureAt(2), 'The key moment in words', calm);
    const { keyMoment, actions } = seeded.failures[1]!;
    await standsAt(page, `Step 0 of ${actions.length}`);
    await page.getByRole('group', { name: 'Picture of the episode' }).focus();
    await page.keyboard.press('ArrowRight');
    await standsAt(page, `Step 1 of ${actions.length}`);
    await page.keyboard.press('m');
    await standsAt(page, `Step ${keyMoment} of ${actions.length}: key moment`);
    await page.waitForURL(new RegExp(`step=${keyMoment}$`));
    await page.getByRole('slider').focus();
    await page.keyboard.press('End');
    await standsAt(page, 'time over');
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain('time over');
    await page.getByRole('group', { name: 'Picture of the episode' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Play' }).waitFor();
  });

  it('plays by itself to the end otherwise, unless a step is asked for', async () => {
    const page = await seen(failureAt(1), 'The key moment in words');
    await page.getByLabel('Speed').selectOption('4');
    await page.getByText('time over').first().waitFor();
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    const asked = await seen(`${failureAt(1)}?step=3`, 'The key moment in words');
    await standsAt(asked, 'Step 3 of');
  });

  it('tells in words what happens at the key moment', async () => {
    const page = await seen(failureAt(1), 'The key moment in words', calm);
    const words = await page.locator('.moment-words').innerText();
    const { keyMoment, actions } = seeded.failures[0]!;
    expect(words).toContain(`Step ${keyMoment} of ${actions.length} is the key moment`);
    expect(words).toContain('from 0.3333 to −∞, a fall by ∞');
    expect(words).toMatch(/Seat 1 \(agent, scripted: topmost_landmark\) is at/);
  });
});

/** Waits until the replay says that it stands at a step. */
const standsAt = (page: Page, text: string) => page.locator('.replay-step', { hasText: text }).waitFor();

/** The middles of the seats as they are drawn. */
async function seatPlaces(page: Page): Promise<string[][]> {
  const circles = await page.locator('.replay-scene .body-seat circle').all();
  return Promise.all(
    circles.map((circle) =>
      Promise.all(['cx', 'cy'].map(async (name) => Number(await circle.getAttribute(name)).toFixed(6))),
    ),
  );
}
