import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  EventStreamConflictError,
  followEvents,
  type EventStream,
  type FollowedItem,
} from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';
import type { EventStreamBackend } from './event-stream-backend.js';
import { resultOf, textDelta, textDeltas } from './sample-events.js';
import { oneByOne } from '../../support/one-by-one.js';

/** Longer than a test may take: a test that waits this long has missed its wake-up. */
const TOO_LONG_MS = 120_000;
/** An id without later events, so that only a wake-up ends the wait. */
const TO_THE_END = 2_147_483_647;
const never = new AbortController().signal;

/** The part of the contract about followers in another process than the writer. */
export function describeFollowing(open: () => EventStream, backend: () => EventStreamBackend): void {
  let writer: EventStream;
  let reader: EventStream;
  let executionId: string;
  beforeEach(() => {
    writer = open();
    reader = open();
    executionId = randomUUID();
  });

  const follow = (stream: EventStream, afterId: number): AsyncGenerator<FollowedItem> =>
    oneByOne(
      followEvents(stream, executionId, afterId, {
        ...{ signal: never, clock: systemClock },
        ...{ heartbeatMs: TOO_LONG_MS, batch: 7 },
      }),
    );

  describe('watching', () => {
    it('hears an append of another process', async () => {
      const watch = reader.watch(executionId);
      await writer.append(executionId, 1, [textDelta('news')]);
      await waitUntil(watch, async () => (await reader.lastId(executionId)) === 1);
      watch.close();
    });

    it('never misses an append made after the watch was', async () => {
      for (let id = 1; id <= 300; id += 1) {
        const watch = reader.watch(executionId);
        await writer.append(executionId, id, [textDelta('news')]);
        await waitUntil(watch, async () => (await reader.lastId(executionId)) === id);
        watch.close();
      }
    });

    it('remembers an append that comes between two waits', async () => {
      const watch = reader.watch(executionId);
      for (let id = 1; id <= 100; id += 1) {
        await writer.append(executionId, id, [textDelta('news')]);
        await waitUntil(watch, async () => (await reader.lastId(executionId)) === id);
      }
      watch.close();
    });

    // Repeated, because the first connection of a reader wakes all its waits once.
    it('ends a wait at once when the signal aborts, also one aborted before', async () => {
      const watch = reader.watch(executionId);
      for (let round = 0; round < 5; round += 1) {
        const abort = new AbortController();
        const wait = watch.wait(TO_THE_END, TOO_LONG_MS, abort.signal);
        abort.abort();
        await wait;
        await watch.wait(TO_THE_END, TOO_LONG_MS, abort.signal);
        await watch.wait(TO_THE_END, TOO_LONG_MS, abort.signal);
      }
      watch.close();
    });

    it('announces nothing of an append that was refused', async () => {
      const watch = reader.watch(executionId);
      const lastId = (await untilHeard(watch, textDelta('before'))).at(-1)?.id ?? 0;
      const heard = watch.wait(lastId, TOO_LONG_MS, never);
      const late = [textDelta('late'), textDelta('too late')];
      await expect(writer.append(executionId, lastId, late)).rejects.toThrow(EventStreamConflictError);
      await writer.append(executionId, lastId + 1, [textDelta('news')]);

      expect([null, [{ id: lastId + 1, ...textDelta('news') }]]).toContainEqual(await heard);
      watch.close();
    });

    it('announces what is read later, to the letter', async () => {
      const watch = reader.watch(executionId);
      const strange = { 発注: 1, long: 2, é: 3, ab: 4 };
      const input = { zz: 1, b: strange, a: [{ y: 1, x: 1e21 }], '10': 0, '9': 0, A: 0.1 };
      const call = { tool_use_id: 'call_1', tool_name: 'search', tool_input: input, round: 2 };
      const heard = await untilHeard(watch, { event: 'tool_use', data: call });

      const read = await reader.readAfter(executionId, (heard[0]?.id ?? 0) - 1, heard.length);
      expect(JSON.stringify(heard)).toBe(JSON.stringify(read));
      expect(heard[0]?.data).toEqual(call);
      watch.close();
    });

    /** Appends until a wake-up carries the event: its first connection and slow wake-ups carry none. */
    async function untilHeard(
      watch: ReturnType<EventStream['watch']>,
      event: ExecutionEvent,
    ): Promise<readonly NumberedEvent[]> {
      for (let id = 1; ; id += 1) {
        await writer.append(executionId, id, [event]);
        const heard = await watch.wait(id - 1, TOO_LONG_MS, never);
        if (heard !== null) return heard;
      }
    }

    it('ends a wait after its time', async () => {
      const watch = reader.watch(executionId);
      for (let round = 0; round < 5; round += 1) await watch.wait(TO_THE_END, 1, never);
      watch.close();
    });
  });

  describe('following', () => {
    it('replays and then tails what another process appends, with no loss and no duplicate', async () => {
      await writer.append(executionId, 1, textDeltas(20));
      const [fromStart, fromMiddle] = [collect(follow(reader, 0)), collect(follow(reader, 15))];
      const others = Array.from({ length: 5 }, () => collect(follow(open(), 3)));
      let id = 21;
      for (const size of [1, 3, 1, 8, 2, 1, 1, 30, 1, 1]) {
        await writer.append(executionId, id, textDeltas(size));
        id += size;
      }
      await writer.append(executionId, id, [resultOf(executionId)]);

      expect((await fromStart).map(idOf)).toEqual(range(1, id));
      expect((await fromMiddle).map(idOf)).toEqual(range(16, id));
      for (const other of others) expect((await other).map(idOf)).toEqual(range(4, id));
    });

    it('can be left and taken up again anywhere', async () => {
      const seen: number[] = [];
      const writing = appendOneByOne(writer, executionId, 60);
      while (seen.at(-1) !== 60) {
        for await (const item of follow(open(), seen.at(-1) ?? 0)) {
          seen.push(idOf(item));
          if (seen.length % 4 === 0) break;
        }
      }
      await writing;
      expect(seen).toEqual(range(1, 60));
    });

    it('delivers when the wake-ups are cut off again and again', async () => {
      const { cutWakeUps } = backend();
      if (cutWakeUps === null) return;
      const followed = collect(follow(reader, 0));
      for (let id = 1; id <= 5; id += 1) {
        await cutWakeUps();
        await writer.append(executionId, id, [textDelta('in the dark')]);
      }
      await writer.append(executionId, 6, [resultOf(executionId)]);
      expect((await followed).map(idOf)).toEqual(range(1, 6));
    });

    it('hears wake-ups again after they were cut off', async () => {
      const { cutWakeUps } = backend();
      if (cutWakeUps === null) return;
      const watch = reader.watch(executionId);
      await cutWakeUps();
      // The reconnect may cause the first wake-up; later ones come from appends only.
      for (let id = 1; id <= 5; id += 1) {
        await writer.append(executionId, id, [textDelta('news')]);
        await waitUntil(watch, async () => (await reader.lastId(executionId)) === id);
      }
      watch.close();
    });
  });
}

/** Waits for `condition` as the port prescribes: checks again after each wake-up, which may be spurious. */
async function waitUntil(
  watch: ReturnType<EventStream['watch']>,
  condition: () => Promise<boolean>,
): Promise<void> {
  do await watch.wait(TO_THE_END, TOO_LONG_MS, never);
  while (!(await condition()));
}

async function collect(items: AsyncIterable<FollowedItem>): Promise<FollowedItem[]> {
  const collected: FollowedItem[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

async function appendOneByOne(stream: EventStream, executionId: string, count: number): Promise<void> {
  for (let id = 1; id < count; id += 1) await stream.append(executionId, id, [textDelta('news')]);
  await stream.append(executionId, count, [resultOf(executionId)]);
}

function idOf(item: FollowedItem): number {
  if (item.event === 'heartbeat') throw new Error('a heartbeat, though nothing was silent');
  return item.id;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_unused, index) => first + index);
}
