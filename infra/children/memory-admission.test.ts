import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryAdmission, type MemoryReservation, type MemoryShortage, type Room } from './memory-admission.ts';

const BUDGET = { limitMib: 1000, isChosen: true };
const never = new AbortController().signal;
const noIdle = async (): Promise<void> => undefined;

const reserve = (admission: MemoryAdmission, runId: string, memoryMib: number, signal = never) =>
  admission.reserve({ runId, memoryMib, signal });

/** Who has been let in, in order. */
function followed(admission: MemoryAdmission) {
  const order: string[] = [];
  const ask = (runId: string, memoryMib: number, signal = never): Promise<MemoryReservation> => {
    const reserved = reserve(admission, runId, memoryMib, signal);
    reserved.then(
      () => order.push(runId),
      () => undefined,
    );
    return reserved;
  };
  return { order, ask };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the memory of a worker', () => {
  it('is given to as many as fit, first come, first served: a small one does not overtake a large one', async () => {
    const admission = new MemoryAdmission(BUDGET, noIdle);
    const { order, ask } = followed(admission);
    const first = await ask('a', 600);
    void ask('large', 900);
    void ask('small', 100);
    await settle();
    expect(order).toEqual(['a']);
    first.release();
    await settle();
    expect(order).toEqual(['a', 'large', 'small']);
    expect(admission.inUseMib).toBe(900 + 100);
  });

  it('a wait that is cancelled holds nothing, and lets those behind it pass', async () => {
    const admission = new MemoryAdmission(BUDGET, noIdle);
    const { order, ask } = followed(admission);
    const controller = new AbortController();
    await ask('a', 600);
    const large = ask('large', 900, controller.signal);
    void ask('small', 100);
    controller.abort(new Error('cancelled'));
    await expect(large).rejects.toThrow('cancelled');
    await settle();
    expect(order).toEqual(['a', 'small']);
    expect(admission.inUseMib).toBe(700);
    await expect(reserve(admission, 'b', 1, controller.signal)).rejects.toThrow('cancelled');
  });

  it('is given back once, however often it is released', async () => {
    const admission = new MemoryAdmission(BUDGET, noIdle);
    const old = await reserve(admission, 'a', 400);
    old.release();
    const next = await reserve(admission, 'a', 500);
    old.release();
    expect(admission.inUseMib).toBe(500);
    next.release();
    expect(admission.inUseMib).toBe(0);
  });

  it('[P19] is not given to a run whose earlier attempt has not ended, which holds up no other run', async () => {
    const admission = new MemoryAdmission(BUDGET, noIdle);
    const { order, ask } = followed(admission);
    const superseded = await ask('a', 100);
    void ask('a', 100);
    void ask('b', 100);
    await settle();
    expect(order).toEqual(['a', 'b']);
    superseded.release();
    await settle();
    expect(order).toEqual(['a', 'b', 'a']);
  });

  it('asks of those at rest only what is missing, and is not held by a run for which no room could be made', async () => {
    const rooms: Room[] = [];
    const admission = new MemoryAdmission(BUDGET, async (room) => {
      rooms.push(room);
      if (room.runId === 'b') throw new Error('it does not end');
    });
    await reserve(admission, 'a', 600);
    await expect(reserve(admission, 'b', 300)).rejects.toThrow('it does not end');
    expect(rooms).toEqual([
      { runId: 'a', memoryMib: 600, restMib: 400 },
      { runId: 'b', memoryMib: 300, restMib: 100 },
    ]);
    expect(admission.inUseMib).toBe(600);
  });

  it('tells what there is, once, whoever has to wait for it', async () => {
    const told: MemoryShortage[] = [];
    const admission = new MemoryAdmission(BUDGET, noIdle);
    const onWait = (shortage: MemoryShortage): void => void told.push(shortage);
    const first = await admission.reserve({ runId: 'a', memoryMib: 600, signal: never, onWait });
    const second = admission.reserve({ runId: 'b', memoryMib: 500, signal: never, onWait });
    expect(told).toEqual([{ askedMib: 500, inUseMib: 600, budgetMib: BUDGET.limitMib }]);
    first.release();
    await second;
    expect(told).toHaveLength(1);
  });

  it('that can never be enough is refused with the flag that helps, where somebody has set it', async () => {
    const refused = reserve(new MemoryAdmission(BUDGET, noIdle), 'a', 1001);
    await expect(refused).rejects.toMatchObject({ code: 'REQUEST_NOT_AVAILABLE', kind: 'request' });
    for (const part of ['memory_mib is 1001', '1000 MiB', '--set execution.memory_mib=1000', '--memory-mib 1001']) {
      await expect(refused).rejects.toThrow(part);
    }
  });

  it('that is all of a small machine is the limit of a run that declares more, and it runs alone', async () => {
    const admission = new MemoryAdmission({ limitMib: 1000, isChosen: false }, noIdle);
    const { order, ask } = followed(admission);
    const alone = await ask('large', 2048);
    expect(alone.memoryMib).toBe(1000);
    void ask('small', 1);
    await settle();
    expect(order).toEqual(['large']);
  });

  it('is given to nobody any more when the worker is about to stop', async () => {
    const admission = new MemoryAdmission(BUDGET, noIdle);
    const held = await reserve(admission, 'a', 600);
    const waiting = reserve(admission, 'b', 600);
    admission.drain();
    await expect(waiting).rejects.toMatchObject({ kind: 'world' });
    await expect(reserve(admission, 'c', 1)).rejects.toMatchObject({ kind: 'world' });
    held.release();
    expect(admission.inUseMib).toBe(0);
  });
});

interface Guest {
  readonly runId: string;
  readonly memoryMib: number;
  readonly controller: AbortController;
  outcome: MemoryReservation | 'refused' | null;
}

/** A party of guests who come, go before they are let in, leave (some twice), or for whom no room can be made. */
const stepArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('ask' as const), run: fc.nat(5), memoryMib: fc.integer({ min: 1, max: 1200 }) }),
  fc.record({ kind: fc.constant('cancel' as const), guest: fc.nat(40) }),
  fc.record({ kind: fc.constant('release' as const), guest: fc.nat(40) }),
  fc.record({ kind: fc.constant('turn' as const) }),
);

it('no order of asking, cancelling, failing and releasing ever gives too much, leaks, or leaves anybody waiting', async () => {
  let waits = 0;
  const stories = fc.asyncProperty(
    fc.array(stepArbitrary, { maxLength: 60 }),
    fc.array(fc.boolean(), { maxLength: 8 }),
    async (steps, failures) => {
      let roomCount = 0;
      const admission = new MemoryAdmission(BUDGET, async () => {
        roomCount += 1;
        await settle();
        if (failures[roomCount % 8] === true) throw new Error('no room could be made');
      });
      const guests: Guest[] = [];
      const arrive = (runId: string, memoryMib: number): void => {
        const guest: Guest = { runId, memoryMib, controller: new AbortController(), outcome: null };
        guests.push(guest);
        const { signal } = guest.controller;
        admission.reserve({ runId, memoryMib, signal, onWait: () => (waits += 1) }).then(
          (reservation) => (guest.outcome = reservation),
          () => (guest.outcome = 'refused'),
        );
      };
      const leave = (guest: Guest | undefined): void => {
        if (guest?.outcome !== null && guest?.outcome !== 'refused') guest?.outcome.release();
      };
      for (const step of steps) {
        if (step.kind === 'ask') arrive(`run ${step.run}`, step.memoryMib);
        else if (step.kind === 'cancel') guests[step.guest]?.controller.abort(new Error('cancelled'));
        else if (step.kind === 'release') leave(guests[step.guest]);
        else await settle();
        expect(admission.inUseMib).toBeLessThanOrEqual(BUDGET.limitMib);
      }
      // Everybody who is let in leaves: then everybody who waits is let in, and nothing is held at the end.
      for (let turn = 0; turn < 4 * guests.length + 4; turn += 1) {
        guests.forEach(leave);
        await settle();
      }
      expect(guests.filter(({ outcome }) => outcome === null)).toEqual([]);
      expect(admission.inUseMib).toBe(0);
    },
  );
  await fc.assert(stories, { numRuns: 100 });
  expect(waits).toBeGreaterThan(0);
});
