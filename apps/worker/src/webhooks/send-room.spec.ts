import { describe, expect, it } from '@jest/globals';
import { SendRoom, type Called } from './send-room.js';

const A: Called = { tenantId: 't', receiver: 'a' };
const B: Called = { tenantId: 't', receiver: 'b' };
const ELSEWHERE: Called = { tenantId: 'u', receiver: 'a' };
const forEver = () => new AbortController().signal;

function roomOf(limits: Partial<ConstructorParameters<typeof SendRoom>[0]>, workers = 1, place = 0) {
  const room = new SendRoom({ total: 100, receiver: 100, tenant: 100, ...limits });
  room.learn({ workers, place, seenAt: new Date(1) });
  return room;
}

/** Lets all pending work run until it waits for an outside event. */
const calm = () => new Promise(setImmediate);

/** Returns the indexes of the requests that start while none of them ends, in order. */
async function beginning(room: SendRoom, called: readonly Called[]): Promise<number[]> {
  const begun: number[] = [];
  called.forEach((each, index) => void room.wait(each, forEver).then(() => begun.push(index)));
  await calm();
  return begun;
}

describe('an inline lease of a delivery begins', () => {
  it.each([
    { by: 'receiver', limits: { receiver: 2 }, called: [A, A, A, B, ELSEWHERE], begins: [0, 1, 3, 4] },
    { by: 'tenant', limits: { tenant: 2 }, called: [A, B, A, ELSEWHERE], begins: [0, 1, 3] },
    { by: 'process', limits: { total: 2 }, called: [A, B, ELSEWHERE], begins: [0, 1] },
  ])('as often at once as the limit by $by allows', async ({ limits, called, begins }) => {
    expect(await beginning(roomOf(limits), called)).toEqual(begins);
  });

  it.each([
    { workers: 1, limit: 4 },
    { workers: 2, limit: 4 },
    { workers: 3, limit: 4 },
    { workers: 3, limit: 2 },
    { workers: 7, limit: 20 },
  ])('within the share of its worker: of $workers they make up $limit', async ({ workers, limit }) => {
    const shares: number[] = [];
    for (let place = 0; place < workers; place += 1) {
      const begun = await beginning(roomOf({ receiver: limit }, workers, place), Array<Called>(30).fill(A));
      shares.push(begun.length);
    }
    expect(shares.reduce((sum, share) => sum + share)).toBe(limit);
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
  });

  it('not before it is known how many workers there are', async () => {
    expect(await beginning(new SendRoom({ total: 9, receiver: 9, tenant: 9 }), [A])).toEqual([]);
  });

  it('by the latest state of the database, in any order of its answers', async () => {
    const room = roomOf({ receiver: 4 });
    room.learn({ workers: 4, place: 0, seenAt: new Date(3) });
    room.learn({ workers: 1, place: 0, seenAt: new Date(2) });
    expect(await beginning(room, [A, A])).toEqual([0]);
  });

  it('in the order of the line, when one leaves', async () => {
    const room = roomOf({ receiver: 1 });
    const leave = await room.wait(A, forEver);
    const begun: string[] = [];
    void room.wait(A, forEver).then(() => begun.push('first'));
    void room.wait(A, forEver).then(() => begun.push('second'));
    await calm();
    expect(begun).toEqual([]);
    leave?.();
    await calm();
    expect(begun).toEqual(['first']);
  });

  it('not at all when its wait has ended, and does not block the next ones', async () => {
    const room = roomOf({ receiver: 1 });
    const leave = await room.wait(A, forEver);
    const waitSignal = new AbortController();
    const given = room.wait(A, () => waitSignal.signal);
    const next = room.wait(A, forEver);
    await calm();
    waitSignal.abort();
    expect(await given).toBeNull();
    expect(await room.wait(A, () => AbortSignal.abort())).toBeNull();
    leave?.();
    expect(await next).not.toBeNull();
  });
});

describe('a claimed delivery', () => {
  it('begins beside all requests in progress, and takes the slot of an inline lease', async () => {
    const room = roomOf({ receiver: 2 });
    const claimed = [];
    for (let count = 0; count < 3; count += 1) claimed.push(await room.enter(() => Promise.resolve(A)));
    expect(await beginning(room, [A])).toEqual([]);
    expect(claimed.map((each) => each?.delivery)).toEqual([A, A, A]);
  });

  it('leaves no room taken where it is refused, or fails', async () => {
    const room = roomOf({ receiver: 1 });
    expect(await room.enter(() => Promise.resolve(null))).toBeNull();
    await expect(room.enter(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await beginning(room, [A])).toEqual([0]);
  });

  it('is counted before its answer: no inline lease begins in between', async () => {
    const room = roomOf({ receiver: 1 });
    const { promise, resolve } = Promise.withResolvers<Called>();
    const claiming = room.enter(() => promise);
    const begun: string[] = [];
    void room.wait(A, forEver).then(() => begun.push('born'));
    await calm();
    expect(begun).toEqual([]);
    resolve(A);
    const claimed = await claiming;
    await calm();
    expect(begun).toEqual([]);
    claimed?.leave();
    await calm();
    expect(begun).toEqual(['born']);
  });
});
