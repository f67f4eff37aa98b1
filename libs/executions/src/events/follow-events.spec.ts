import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';
import {
  AwayError,
  fastClock,
  ImpatientStream,
} from '../../../../test/support/fakes/impatient-event-stream.js';
import { InMemoryEventStream } from '../../../../test/support/fakes/in-memory-event-stream.js';
import { followEvents, type FollowedItem, type FollowOptions } from './follow-events.js';
import { oneByOne } from '../../../../test/support/one-by-one.js';

const EXECUTION_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const delta = (content: string): ExecutionEvent => ({ event: 'text_delta', data: { content, round: 1 } });

describe('followEvents', () => {
  let stream: InMemoryEventStream;
  let abort: AbortController;
  let options: FollowOptions;
  beforeEach(() => {
    stream = new ImpatientStream();
    abort = new AbortController();
    options = { signal: abort.signal, graceMs: 1_000, heartbeatMs: 10_000, clock: fastClock() };
  });

  async function take(
    count: number,
    more: Partial<FollowOptions> = {},
    afterId = 0,
  ): Promise<FollowedItem[]> {
    const items: FollowedItem[] = [];
    const followed = followEvents(stream, EXECUTION_ID, afterId, { ...options, ...more });
    for await (const item of oneByOne(followed)) {
      if (items.push(item) === count) break;
    }
    return items;
  }

  it('sends a heartbeat after each stretch of silence (S4-26)', async () => {
    await stream.append(EXECUTION_ID, 1, [delta('a')]);
    expect((await take(3)).map(({ event }) => event)).toEqual(['text_delta', 'heartbeat', 'heartbeat']);
  });

  it('gives the events of one read together, and none after the last', async () => {
    await stream.append(EXECUTION_ID, 1, [delta('a'), delta('b'), delta('c')]);
    const items = followEvents(stream, EXECUTION_ID, 0, { ...options, until: 'tool_use', batch: 2 });
    expect((await items.next()).value).toEqual([
      { id: 1, ...delta('a') },
      { id: 2, ...delta('b') },
    ]);
    await items.return();

    const all = followEvents(stream, EXECUTION_ID, 1, { ...options, until: 'text_delta' });
    expect((await all.next()).value).toEqual([{ id: 2, ...delta('b') }]);
    expect((await all.next()).done).toBe(true);
  });

  it('reads nothing before the consumer asks for it', async () => {
    let reads = 0;
    await stream.append(EXECUTION_ID, 1, [delta('a'), delta('b'), delta('c'), delta('d')]);
    const counted = {
      watch: (executionId: string) => stream.watch(executionId),
      readAfter: (...call: Parameters<InMemoryEventStream['readAfter']>) => {
        reads += 1;
        return stream.readAfter(...call);
      },
    };
    const items = oneByOne(followEvents(counted, EXECUTION_ID, 0, { ...options, batch: 2 }));
    expect(reads).toBe(0);
    await items.next();
    await items.next();
    expect(reads).toBe(1);
    await items.next();
    expect(reads).toBe(2);
    await items.return();
  });

  it('reads nothing that its wake-up has said, and what it has not', async () => {
    const patient = new InMemoryEventStream();
    const reads: number[] = [];
    const counted = {
      watch: (executionId: string) => patient.watch(executionId),
      readAfter: (...call: Parameters<InMemoryEventStream['readAfter']>) => {
        reads.push(call[1]);
        return patient.readAfter(...call);
      },
    };
    const items = oneByOne(
      followEvents(counted, EXECUTION_ID, 0, { ...options, batch: 2, heartbeatMs: 1e9 }),
    );
    const ids: unknown[] = [];
    for (const [firstId, count] of [
      [1, 1],
      [2, 3],
      [5, 1],
    ] as const) {
      const next = items.next();
      // A wait begins one event-loop turn after the read before it.
      await new Promise((resolve) => setImmediate(resolve));
      await patient.append(
        EXECUTION_ID,
        firstId,
        Array.from({ length: count }, () => delta('news')),
      );
      ids.push((await next).value);
      for (let more = 1; more < count; more += 1) ids.push((await items.next()).value);
    }
    expect(ids.map((item) => (item as NumberedEvent).id)).toEqual([1, 2, 3, 4, 5]);
    expect(reads).toEqual([0]);
    await items.return();
  });

  it('reads nothing of a stream that was empty when it was watched, and misses nothing of it', async () => {
    const patient = new InMemoryEventStream();
    const unread = {
      watch: () => Promise.reject(new Error('watched twice')) as never,
      readAfter: () => Promise.reject(new Error('read')),
    };
    const sinceEmpty = patient.watch(EXECUTION_ID);
    await patient.append(EXECUTION_ID, 1, [delta('before it is followed')]);
    const items = oneByOne(
      followEvents(unread, EXECUTION_ID, 0, { ...options, heartbeatMs: 1e9, sinceEmpty }),
    );
    expect((await items.next()).value).toMatchObject({ id: 1 });
    await items.return();
  });

  it('ends when the signal aborts, between two reads and while it waits', async () => {
    await stream.append(EXECUTION_ID, 1, [delta('a'), delta('b')]);
    const patient = new InMemoryEventStream();
    await patient.append(EXECUTION_ID, 1, [delta('a'), delta('b')]);
    const items = oneByOne(followEvents(patient, EXECUTION_ID, 0, { ...options, heartbeatMs: 1e9 }));
    await items.next();
    await items.next();
    const waiting = items.next();
    abort.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });

    const between = new AbortController();
    const others = oneByOne(
      followEvents(stream, EXECUTION_ID, 0, { ...options, batch: 1, signal: between.signal }),
    );
    await others.next();
    between.abort();
    expect(await others.next()).toEqual({ done: true, value: undefined });
  });

  it('closes its watch however it ends', async () => {
    let open = 0;
    const watched = {
      readAfter: () => Promise.reject(new Error('broken')),
      watch: () => {
        open += 1;
        return { wait: () => Promise.resolve(null), wake: () => undefined, close: () => void (open -= 1) };
      },
    };
    await expect(oneByOne(followEvents(watched, EXECUTION_ID, 0, options)).next()).rejects.toThrow('broken');
    expect(open).toBe(0);
  });

  describe('when the execution has settled but its result is not in the stream', () => {
    it('ends instead of waiting for ever', async () => {
      await stream.append(EXECUTION_ID, 1, [delta('a')]);
      const items = await take(100, { isSettled: () => Promise.resolve(true) });
      expect(items.map(({ event }) => event)).toEqual(['text_delta']);
    });

    it('still delivers a result that is on its way', async () => {
      let asked = 0;
      const isSettled = async (): Promise<boolean> => {
        asked += 1;
        if (asked > 1) return true;
        await stream.append(EXECUTION_ID, 1, [
          delta('late'),
          { event: 'error', data: { code: 'X', message: 'y' } },
        ]);
        return true;
      };
      const items = await take(100, { isSettled });
      expect(items.map(({ event }) => event)).toEqual(['text_delta', 'error']);
      expect(asked).toBe(2);
    });

    it('waits for a result that is due, for as long as the grace', async () => {
      let reads = 0;
      const late = {
        watch: (executionId: string) => stream.watch(executionId),
        readAfter: async (...call: Parameters<InMemoryEventStream['readAfter']>) => {
          reads += 1;
          if (reads === 5) await stream.append(EXECUTION_ID, 1, [delta('late')]);
          return stream.readAfter(...call);
        },
      };
      const isSettled = (): Promise<boolean> => Promise.resolve(true);
      const grace = { ...options, heartbeatMs: 1e9, graceMs: 60_000, isSettled };
      const items = oneByOne(followEvents(late, EXECUTION_ID, 0, grace));
      expect((await items.next()).value).toMatchObject({ event: 'text_delta' });
      await items.return();
    });

    it('does not wait for an append to see that one is due', async () => {
      let wakeUps = 0;
      const woken = {
        readAfter: () => Promise.resolve([]),
        watch: () => ({
          wait: () => new Promise<null>((resolve) => setImmediate(() => resolve(null))),
          wake: () => void (wakeUps += 1),
          close: () => undefined,
        }),
      };
      const isSettled = (): Promise<boolean> => Promise.resolve(true);
      expect(await followEvents(woken, EXECUTION_ID, 0, { ...options, isSettled }).next()).toMatchObject({
        done: true,
      });
      expect(wakeUps).toBe(1);
    });

    it('does not block while the result is unknown', async () => {
      const unanswered = new Promise<boolean>(() => undefined);
      const patient = new InMemoryEventStream();
      const items = oneByOne(
        followEvents(patient, EXECUTION_ID, 0, { ...options, isSettled: () => unanswered }),
      );
      const next = items.next();
      await patient.append(EXECUTION_ID, 1, [delta('a')]);
      expect((await next).value).toMatchObject({ event: 'text_delta' });
      await items.return();
    });

    it('asks again where the question failed', async () => {
      let asked = 0;
      const isSettled = (): Promise<boolean> =>
        (asked += 1) === 1 ? Promise.reject(new AwayError()) : Promise.resolve(true);
      const items = await take(100, { isSettled });
      expect(items.map(({ event }) => event)).toEqual(['heartbeat']);
    });

    it('asks at the first silence and with each heartbeat, not at every look', async () => {
      const settled: boolean[] = [];
      const isSettled = (): Promise<boolean> => Promise.resolve(settled.push(false) > 2);
      const items = await take(100, { isSettled });
      expect(items.map(({ event }) => event)).toEqual(['heartbeat', 'heartbeat']);
      expect(settled).toHaveLength(3);
    });
  });
});
