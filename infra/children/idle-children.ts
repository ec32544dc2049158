import type { SupervisedChild } from './child-process.ts';
import type { Room } from './memory-admission.ts';

/** A child that has grown beyond this share of its limit is replaced before its next request. */
const REPLACE_SHARE = 0.8;

interface Resting {
  readonly child: SupervisedChild;
  /** The run whose networks it has and which comes back to it; null when it waits for any run. */
  runId: string | null;
  timer: NodeJS.Timeout;
}

/** The warm processes of a worker that have nothing to do just now. Each ends when it has had nothing to do for long. */
export class IdleChildren {
  private readonly idleMs: number;
  private readonly unownedMax: number;
  /** Oldest first. */
  private readonly resting: Resting[] = [];

  /** @param unownedMax how many may wait for any run */
  constructor({ idleMs, unownedMax }: { idleMs: number; unownedMax: number }) {
    this.idleMs = idleMs;
    this.unownedMax = unownedMax;
  }

  /** Runs that would come back to a process of theirs. */
  get runs(): readonly string[] {
    return this.resting.flatMap(({ runId }) => (runId === null ? [] : [runId]));
  }

  get count(): number {
    return this.resting.length;
  }

  /** A process for a request of the run: its own, or one without owner; null when a new one is needed. */
  async take(runId: string, memoryMib: number): Promise<SupervisedChild | null> {
    await this.endUnfit(runId, memoryMib);
    const found = this.ownedBy(runId) ?? this.adopt(runId, memoryMib);
    if (found !== undefined) this.remove(found);
    return found?.child ?? null;
  }

  /** The run is not at work just now. A superseded attempt may end after the newer one: one process for a run stays. */
  async put(runId: string, child: SupervisedChild): Promise<void> {
    const other = this.ownedBy(runId);
    const resting: Resting = { child, runId, timer: setTimeout(() => void this.end(resting), this.idleMs).unref() };
    this.resting.push(resting);
    if (other !== undefined) await this.end(other);
  }

  /**
   * Ends the oldest until no more memory than the rest is declared by those whose runs are not at work; one that fits is
   * taken over by the run that needs the room.
   */
  async makeRoom({ runId, memoryMib, restMib }: Room, isAtWork: (runId: string) => boolean): Promise<void> {
    await this.endUnfit(runId, memoryMib);
    if (this.ownedBy(runId) === undefined) this.adopt(runId, memoryMib);
    for (;;) {
      const others = this.resting.filter((each) => each.runId === null || !isAtWork(each.runId));
      const [oldest] = others;
      if (oldest === undefined || others.reduce((sum, { child }) => sum + child.memoryMib, 0) <= restMib) return;
      if (this.ownedBy(runId) === undefined && isFit(oldest.child, memoryMib)) giveTo(oldest, runId);
      else await this.end(oldest);
    }
  }

  /** The run is over; its process may serve another. */
  async handOn(runId: string): Promise<void> {
    const own = this.ownedBy(runId);
    if (own === undefined) return;
    const unowned = this.resting.filter((each) => each.runId === null);
    if (unowned.length < this.unownedMax && isFit(own.child, own.child.memoryMib)) giveTo(own, null);
    else await this.end(own);
  }

  /** Ends the process of a run. */
  async endOf(runId: string): Promise<void> {
    const own = this.ownedBy(runId);
    if (own !== undefined) await this.end(own);
  }

  async close(): Promise<void> {
    await Promise.all([...this.resting].map((each) => this.end(each)));
  }

  private ownedBy(runId: string): Resting | undefined {
    return this.resting.find((each) => each.runId === runId);
  }

  private adopt(runId: string, memoryMib: number): Resting | undefined {
    const found = this.resting.find((each) => each.runId === null && isFit(each.child, memoryMib));
    if (found !== undefined) giveTo(found, runId);
    return found;
  }

  private async endUnfit(runId: string, memoryMib: number): Promise<void> {
    const own = this.ownedBy(runId);
    if (own !== undefined && !isFit(own.child, memoryMib)) await this.end(own);
  }

  private async end(resting: Resting): Promise<void> {
    this.remove(resting);
    await resting.child.kill();
  }

  private remove(resting: Resting): void {
    clearTimeout(resting.timer);
    const index = this.resting.indexOf(resting);
    if (index >= 0) this.resting.splice(index, 1);
  }
}

/** What it wrote and needed for another run is none of the new one's business. */
function giveTo(resting: Resting, runId: string | null): void {
  resting.runId = runId;
  resting.child.forget();
}

function isFit(child: SupervisedChild, memoryMib: number): boolean {
  return child.isAlive && child.memoryMib === memoryMib && (child.rssMib ?? 0) <= REPLACE_SHARE * memoryMib;
}
