import { z } from 'zod';
import type { ChangeFeed, Told } from '../infra/postgres/change-feed.ts';
import { ChangeBatch } from './change-batch.ts';

/** Between two events of one client. */
const PAUSE_MS = 250;
/** Proxies close what is silent for long, and a client that is gone is noticed when it is written to. */
const HEARTBEAT_MS = 15_000;
/** After which a browser comes again when the connection breaks. */
const RETRY_MS = 2_000;

export const changesQuerySchema = z.strictObject({
  experiment: z.string().optional().describe('Only changes of runs of this experiment.'),
});

export interface ChangeStreamOptions {
  readonly feed: ChangeFeed;
  /** Null for changes of all experiments. */
  readonly experimentId: string | null;
  /** Whether the client was here before and may have missed something. */
  readonly isBack: boolean;
}

/**
 * Server-sent events of what changes, the body of an answer that does not end. While a client does not read, nothing is kept
 * for it but the newest of each run.
 */
export function changeStream({ feed, experimentId, isBack }: ChangeStreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const batch = new ChangeBatch();
  let close = (): void => undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let eventCount = 0;
        let timer: NodeJS.Timeout | null = null;
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const flush = (): void => {
          timer = null;
          if (batch.isEmpty) return;
          if ((controller.desiredSize ?? 0) > 0) {
            eventCount += 1;
            write(`id: ${eventCount}\nevent: changes\ndata: ${JSON.stringify(batch.take())}\n\n`);
          }
          timer = setTimeout(flush, PAUSE_MS);
        };
        const hear = (told: Told): void => {
          if (!concerns(told, experimentId)) return;
          batch.add(told);
          // At once for a single change, and together with what else the same transaction changed.
          timer ??= setTimeout(flush, 0);
        };
        const heartbeat = setInterval(
          () => (controller.desiredSize ?? 0) > 0 && write(': still here\n\n'),
          HEARTBEAT_MS,
        );
        const unsubscribe = feed.subscribe(hear);
        close = () => {
          unsubscribe();
          clearInterval(heartbeat);
          if (timer !== null) clearTimeout(timer);
        };
        write(`retry: ${RETRY_MS}\nid: 0\n\n`);
        if (isBack) hear({ kind: 'missed' });
      },
      cancel: () => close(),
    },
    { highWaterMark: 4 },
  );
}

function concerns(told: Told, experimentId: string | null): boolean {
  if (experimentId === null || told.kind === 'missed') return true;
  return (told.kind === 'run' ? told.change.experimentId : told.experimentId) === experimentId;
}
