import { once } from 'node:events';
import { Readable } from 'node:stream';
import type pg from 'pg';

// Rows as Postgres itself writes and reads them, by COPY. The driver passes its messages to a query object of one's own; what
// it needs for that is small, and is here. The text form of COPY holds every value to the last bit, NaN and infinities too.

/** What the driver's connection can do beside what its types tell. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** The rows of `copy … to stdout` as a stream of bytes. */
export class CopyOut extends Readable implements pg.Submittable {
  /** Known at the end. */
  rowCount = 0;
  private readonly text: string;
  private connection: pg.Connection | null = null;

  constructor(text: string) {
    super();
    this.text = text;
  }

  submit(connection: pg.Connection): void {
    this.connection = connection;
    connection.query(this.text);
  }

  override _read(): void {
    this.connection?.stream.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: pg.Connection): void {
    // A copy, because the driver reads the next message into the same memory.
    if (!this.push(Buffer.from(chunk))) connection.stream.pause();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rowCount = rowCountOf(text);
  }

  handleReadyForQuery(connection: pg.Connection): void {
    connection.stream.resume();
    this.push(null);
  }

  handleError(error: Error): void {
    this.connection?.stream.resume();
    this.destroy(error);
  }
}

/** Sends bytes to `copy … from stdin`. @returns how many rows they were */
export function copyIn(client: pg.ClientBase, text: string, source: AsyncIterable<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(text, source, { resolve, reject }));
  });
}

interface Settling {
  readonly resolve: (rowCount: number) => void;
  readonly reject: (error: Error) => void;
}

class CopyIn implements pg.Submittable {
  private readonly text: string;
  private readonly source: AsyncIterable<Uint8Array>;
  private readonly settling: Settling;
  private rowCount = 0;
  private hasFailed = false;

  constructor(text: string, source: AsyncIterable<Uint8Array>, settling: Settling) {
    this.text = text;
    this.source = source;
    this.settling = settling;
  }

  submit(connection: pg.Connection): void {
    connection.query(this.text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    void this.feed(connection);
  }

  private async feed(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.source) {
        if (this.hasFailed) return;
        connection.sendCopyFromChunk(chunk);
        // A connection that breaks meanwhile fails the query, which is what is waited for.
        if (connection.stream.writableNeedDrain)
          await Promise.race([once(connection.stream, 'drain'), this.broken(connection)]);
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail(String(error));
    }
  }

  private async broken({ stream }: CopyConnection): Promise<void> {
    await once(stream, 'close');
    this.hasFailed = true;
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rowCount = rowCountOf(text);
  }

  handleReadyForQuery(): void {
    if (!this.hasFailed) this.settling.resolve(this.rowCount);
  }

  handleError(error: Error): void {
    this.hasFailed = true;
    this.settling.reject(error);
  }
}

/** Of a command tag, as `COPY 12`. */
function rowCountOf(tag: string): number {
  return Number(/[0-9]+$/.exec(tag)?.[0] ?? 0);
}
