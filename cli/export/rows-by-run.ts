import type { Row } from '../../infra/postgres/database.ts';
import { ThawError } from '../../schemas/errors.ts';

/** Rows that come run by run in pages, taken out run by run; never more than a page and a run are held. */
export class RowsByRun {
  private readonly pages: AsyncIterator<readonly Row[]>;
  private page: readonly Row[] = [];
  private next = 0;

  constructor(pages: AsyncIterable<readonly Row[]>) {
    this.pages = pages[Symbol.asyncIterator]();
  }

  /** The rows of a run. Runs are asked for in the order in which they come. */
  async take(variant: string, seed: number): Promise<Row[]> {
    const taken: Row[] = [];
    for (;;) {
      const row = await this.peek();
      if (row === null || row['variant'] !== variant || row['seed'] !== seed) return taken;
      taken.push(row);
      this.next += 1;
    }
  }

  /** @throws DEFECT_INVARIANT when rows are left, which came in another order than that of the runs */
  async expectEnd(name: string): Promise<void> {
    const row = await this.peek();
    if (row === null) return;
    throw new ThawError(
      'DEFECT_INVARIANT',
      `rows of ${name} come out of order: ${String(row['variant'])}/${String(row['seed'])}`,
    );
  }

  private async peek(): Promise<Row | null> {
    while (this.next >= this.page.length) {
      const { value, done } = (await this.pages.next()) as IteratorResult<readonly Row[], undefined>;
      if (done === true) return null;
      this.page = value;
      this.next = 0;
    }
    return this.page[this.next]!;
  }
}
