import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

/** Where Debian puts it. */
const DEBIAN_CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/** Patience with a machine that is busy with other tests. */
const TIMEOUT_MS = 20_000;

/** A page of a real browser, with what went wrong in it. */
export interface OpenedPage {
  readonly page: Page;
  /** What the page wrote to its console as an error, threw, or could not load. */
  readonly problems: string[];
}

/** One Chromium for the tests of a file. */
export interface TestBrowser {
  /** Opens an address in a context of its own. After the test it is asserted that nothing went wrong. */
  open(url: string, options?: BrowserContextOptions): Promise<OpenedPage>;
}

/** Starts a browser before the tests of a file and ends it after them. */
export function useBrowser(): TestBrowser {
  let browser: Browser;
  const opened: OpenedPage[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: browserPath(), args: ARGUMENTS });
  });
  afterEach(async () => {
    const pages = opened.splice(0);
    for (const { page } of pages) await page.context().close();
    expect(pages.flatMap(({ problems }) => problems)).toEqual([]);
  });
  afterAll(() => browser?.close());
  return {
    async open(url, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      const problems: string[] = [];
      page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
      page.on('pageerror', (error) => void problems.push(String(error)));
      page.on('request', (request) => {
        if (new URL(request.url()).host !== new URL(url).host) problems.push(`asks another host: ${request.url()}`);
      });
      const one = { page, problems };
      opened.push(one);
      await page.goto(url);
      return one;
    },
  };
}

/** @throws with the command that installs one, where there is none */
function browserPath(): string {
  const path = [DEBIAN_CHROMIUM, chromium.executablePath()].find((file) => existsSync(file));
  if (path !== undefined) return path;
  const command = process.getuid?.() === 0 ? 'apt-get install -y chromium' : 'npx playwright-core install chromium';
  throw new Error(`The page is tested in Chromium, which is not installed. Run \`${command}\`, and the tests again.`);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What keeps people from using the page, by the rules of axe: its serious and critical findings. */
export async function accessProblems(page: Page): Promise<string[]> {
  // The page's own policy forbids added scripts, but not what the browser's tools evaluate.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`));
}
