import { describe, expect, it } from '@jest/globals';
import { systemTimers } from '#libs/kernel';
import { ExecutionSlots } from './execution-slots.js';
import { FairShareReserve } from './fair-share-reserve.js';

/** A reserve over one taken slot; waiting executions are named after their tenant, e.g. `a1`. */
function aReserve(slots: number, waiting: string[]) {
  const begun: string[] = [];
  const looked: string[] = [];
  const errors: unknown[] = [];
  const ends = new Map<string, () => void>();
  const places = new ExecutionSlots(1);
  const leave = places.take();
  const reserve = new FairShareReserve({
    places,
    slots,
    lookEveryMs: 60_000,
    timers: systemTimers,
    find: (limit, _tenantLimit, after) => {
      looked.push(after);
      const executions = waiting.slice(0, limit).map((id) => ({ executionId: id, tenantId: id.slice(0, 1) }));
      return Promise.resolve({ executions, last: `after look ${looked.length}` });
    },
    run: (id) => {
      waiting.splice(waiting.indexOf(id), 1);
      begun.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    },
    onError: (error) => errors.push(error),
  });
  return { reserve, places, leave, begun, looked, errors, end: (id: string) => ends.get(id)?.() };
}

describe('FairShareReserve', () => {
  it('takes up nothing while a place is free', async () => {
    const { reserve, leave, begun } = aReserve(4, ['b1']);
    leave();
    await reserve.look();
    expect(begun).toEqual([]);
  });

  it('leaves to others what only one look has found, or found while a place was free', async () => {
    const { reserve, places, leave, begun } = aReserve(4, ['b1']);
    await reserve.look();
    expect(begun).toEqual([]);
    leave();
    await reserve.look();
    places.take();
    await reserve.look();
    expect(begun).toEqual([]);
    await reserve.look();
    expect(begun).toEqual(['b1']);
  });

  it('leaves slots for the next tenant, at least one while any is free', async () => {
    const { reserve, begun } = aReserve(8, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']);
    for (let looks = 0; looks < 4; looks += 1) await reserve.look();
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4']);
  });

  it('never runs more than it has', async () => {
    const { reserve, begun, end } = aReserve(2, ['a1', 'b1', 'c1']);
    for (let looks = 0; looks < 4; looks += 1) await reserve.look();
    expect(begun).toEqual(['a1', 'b1']);
    end('a1');
    await new Promise((resolve) => setImmediate(resolve));
    await reserve.look();
    await reserve.look();
    expect(begun).toEqual(['a1', 'b1', 'c1']);
  });

  it('goes on with further tenants once it has found nothing new among some', async () => {
    const { reserve, looked } = aReserve(4, ['a1']);
    for (let looks = 0; looks < 4; looks += 1) await reserve.look();
    expect(looked).toEqual(['', '', 'after look 2', 'after look 3']);
  });

  it('waits for what runs when it stops', async () => {
    const { reserve, end } = aReserve(2, ['a1']);
    await reserve.look();
    await reserve.look();
    let hasStopped = false;
    const stopping = reserve.stop().then(() => (hasStopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasStopped).toBe(false);
    end('a1');
    await stopping;
  });
});
