import { ThawError } from '../../schemas/errors.ts';
import type { MemoryBudget } from './memory-budget.ts';

/** The right to have a process of a run at work; it is given back when the attempt is over. */
export interface MemoryReservation {
  /** Limit of the process: what the run declares, or less where the whole machine has less. */
  readonly memoryMib: number;
  /** Doing it twice is doing it once. */
  release(): void;
}

/** What there is while somebody waits. */
export interface MemoryShortage {
  readonly askedMib: number;
  readonly inUseMib: number;
  readonly budgetMib: number;
}

export interface MemoryRequest {
  readonly runId: string;
  readonly memoryMib: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once when there is a wait for memory. */
  readonly onWait?: (shortage: MemoryShortage) => void;
}

/** Room that was just given to a run, and how much of the budget is left to whoever is not at work. */
export interface Room {
  readonly runId: string;
  readonly memoryMib: number;
  readonly restMib: number;
}

interface Waiter extends MemoryRequest {
  readonly grant: (reservation: MemoryReservation) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Who of a worker's runs may be at work: as many as their declared memory fits into the budget, first come, first served,
 * so that small ones never keep a large one waiting. Attempts of one run follow each other: a superseded one ends first.
 */
export class MemoryAdmission {
  private readonly budget: MemoryBudget;
  private readonly makeRoom: (room: Room) => Promise<void>;
  private readonly held = new Map<string, number>();
  private readonly waiters: Waiter[] = [];
  private isDraining = false;

  /** @param makeRoom ends idle processes until they declare no more than the rest */
  constructor(budget: MemoryBudget, makeRoom: (room: Room) => Promise<void>) {
    this.budget = budget;
    this.makeRoom = makeRoom;
  }

  /** Declared memory of what is at work. */
  get inUseMib(): number {
    return [...this.held.values()].reduce((sum, mib) => sum + mib, 0);
  }

  /** How many wait for room. */
  get waitingCount(): number {
    return this.waiters.length;
  }

  isAtWork(runId: string): boolean {
    return this.held.has(runId);
  }

  /**
   * @throws REQUEST_NOT_AVAILABLE when it can never fit @throws WORLD_CHILD_DIED when the worker stops
   * @throws the reason of the signal
   */
  async reserve(request: MemoryRequest): Promise<MemoryReservation> {
    request.signal.throwIfAborted();
    if (this.isDraining) throw stopping();
    const memoryMib = this.limitFor(request.memoryMib);
    return new Promise((grant, refuse) => {
      const cancel = (): void => this.leave(waiter, request.signal.reason as Error);
      const settled = (): void => request.signal.removeEventListener('abort', cancel);
      const waiter: Waiter = {
        ...request,
        memoryMib,
        grant: (reservation) => (settled(), grant(reservation)),
        refuse: (error) => (settled(), refuse(error)),
      };
      request.signal.addEventListener('abort', cancel, { once: true });
      this.waiters.push(waiter);
      this.admit();
      if (this.waiters.includes(waiter)) this.tellShortage(waiter);
    });
  }

  /** Sends away who waits and whoever comes: the worker is about to end, and another may have room. */
  drain(): void {
    this.isDraining = true;
    for (const { refuse } of this.waiters.splice(0)) refuse(stopping());
  }

  private limitFor(declaredMib: number): number {
    const { limitMib, isChosen } = this.budget;
    if (isChosen && declaredMib > limitMib) throw tooLarge(declaredMib, limitMib);
    return Math.min(declaredMib, limitMib);
  }

  private tellShortage({ runId, memoryMib, onWait }: Waiter): void {
    if (this.held.has(runId)) return;
    onWait?.({ askedMib: memoryMib, inUseMib: this.inUseMib, budgetMib: this.budget.limitMib });
  }

  private leave(waiter: Waiter, reason: Error): void {
    const index = this.waiters.indexOf(waiter);
    if (index < 0) return;
    this.waiters.splice(index, 1);
    waiter.refuse(reason);
    this.admit();
  }

  private admit(): void {
    for (;;) {
      const index = this.waiters.findIndex(({ runId }) => !this.held.has(runId));
      const waiter = this.waiters[index];
      if (waiter === undefined || this.inUseMib + waiter.memoryMib > this.budget.limitMib) return;
      this.waiters.splice(index, 1);
      this.held.set(waiter.runId, waiter.memoryMib);
      void this.grant(waiter);
    }
  }

  private async grant({ runId, memoryMib, signal, grant, refuse }: Waiter): Promise<void> {
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      this.held.delete(runId);
      this.admit();
    };
    try {
      await this.makeRoom({ runId, memoryMib, restMib: this.budget.limitMib - this.inUseMib });
      signal.throwIfAborted();
      grant({ memoryMib, release });
    } catch (error) {
      release();
      refuse(error as Error);
    }
  }
}

function stopping(): ThawError {
  return new ThawError('WORLD_CHILD_DIED', 'its worker stopped before the attempt began');
}

function tooLarge(declaredMib: number, budgetMib: number): ThawError {
  const remedy =
    `lower it with \`thaw submit FILE --set execution.memory_mib=${budgetMib}\` and then \`thaw retry --failed ID\`, ` +
    `or start a worker with more: \`thaw worker --memory-mib ${declaredMib}\` (THAW_WORKER_MEMORY_MIB)`;
  const message = `execution.memory_mib is ${declaredMib}, but this worker has ${budgetMib} MiB for all training processes: ${remedy}`;
  return new ThawError('REQUEST_NOT_AVAILABLE', message, { remedy });
}
