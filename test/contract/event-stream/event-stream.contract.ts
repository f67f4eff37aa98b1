import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStreamConflictError, type EventStream } from '#libs/executions';
import type { NumberedEvent } from '#libs/payloads';
import { waitFor } from '../../support/services/wait-for.js';
import type { BackendStream, EventStreamBackend } from './event-stream-backend.js';
import { describeAppendingTogether } from './event-stream-together.contract.js';
import { describeHearingFollowers } from './event-stream-followers.contract.js';
import { describeFollowing } from './event-stream-following.contract.js';
import { describeSettlementWatches } from './event-stream-settlements.contract.js';
import { resultOf, textDelta, textDeltas } from './sample-events.js';

const HOUR_MS = 60 * 60 * 1_000;

/** Contract of `EventStream` that every backend keeps. `start` is called once, before the first test. */
export function describeEventStream(start: () => Promise<EventStreamBackend>): void {
  let backend: EventStreamBackend;
  const opened: BackendStream[] = [];
  const open = (): EventStream => {
    const stream = backend.open();
    opened.push(stream);
    return stream;
  };

  beforeAll(async () => {
    backend = await start();
  });
  afterEach(async () => {
    for (const stream of opened.splice(0)) await stream.close?.();
  });
  afterAll(async () => {
    await backend.close();
  });

  describe('appending and reading', () => {
    let stream: EventStream;
    let executionId: string;
    beforeEach(() => {
      stream = open();
      executionId = randomUUID();
    });
    const ids = async (afterId = 0, limit = 100): Promise<number[]> =>
      (await stream.readAfter(executionId, afterId, limit)).map((event) => event.id);

    it('begins empty', async () => {
      expect(await stream.lastId(executionId)).toBe(0);
      expect(await stream.readAfter(executionId, 0, 10)).toEqual([]);
    });

    it('gives events back in order, numbered without gaps', async () => {
      await stream.append(executionId, 1, textDeltas(2, 'first'));
      await stream.append(executionId, 3, [textDelta('middle')]);
      await stream.append(executionId, 4, [resultOf(executionId)]);

      expect(await stream.readAfter(executionId, 0, 10)).toEqual([
        { id: 1, ...textDelta('first 0') },
        { id: 2, ...textDelta('first 1') },
        { id: 3, ...textDelta('middle') },
        { id: 4, ...resultOf(executionId) },
      ]);
      expect(await stream.lastId(executionId)).toBe(4);
    });

    it('drops one stream, and no other', async () => {
      const other = randomUUID();
      for (const id of [executionId, other]) await stream.append(id, 1, textDeltas(3));

      await stream.delete(executionId);
      await stream.delete(randomUUID());

      expect([await stream.lastId(executionId), await stream.lastId(other)]).toEqual([0, 3]);
    });

    it('resumes after any id and reads no more than asked for', async () => {
      await stream.append(executionId, 1, textDeltas(12));
      for (let afterId = 0; afterId <= 12; afterId += 1) {
        const rest = Array.from({ length: 12 - afterId }, (_unused, index) => afterId + index + 1);
        expect(await ids(afterId)).toEqual(rest);
        expect(await ids(afterId, 3)).toEqual(rest.slice(0, 3));
      }
      expect(await ids(99)).toEqual([]);
    });

    it('keeps executions apart', async () => {
      const other = randomUUID();
      await stream.append(executionId, 1, textDeltas(2));
      await stream.append(other, 1, textDeltas(3));
      expect(await stream.lastId(executionId)).toBe(2);
      expect(await stream.lastId(other)).toBe(3);
    });

    it('takes an empty batch for nothing', async () => {
      await stream.append(executionId, 1, []);
      expect(await stream.lastId(executionId)).toBe(0);
    });

    it('goes on after a stream that lost its beginning', async () => {
      await stream.append(executionId, 57, textDeltas(2));
      expect(await ids()).toEqual([57, 58]);
    });

    it.each([
      ['the first number is taken', 3],
      ['only the first numbers are taken', 2],
      ['a higher number is taken', 1],
    ])('refuses the whole batch when %s', async (_name, firstId) => {
      await stream.append(executionId, 1, textDeltas(3, 'owner'));
      const append = stream.append(executionId, firstId, textDeltas(4, 'zombie'));

      await expect(append).rejects.toBeInstanceOf(EventStreamConflictError);
      await expect(append).rejects.toMatchObject({ kind: 'lease_lost', details: { executionId, firstId } });
      expect(await stream.readAfter(executionId, 0, 10)).toEqual(
        textDeltas(3, 'owner').map((event, index) => ({ id: index + 1, ...event })),
      );
    });

    it('refuses numbers that are free but lie below a taken one', async () => {
      await stream.append(executionId, 57, textDeltas(2));
      await expect(stream.append(executionId, 3, textDeltas(2))).rejects.toThrow(EventStreamConflictError);
      expect(await ids()).toEqual([57, 58]);
    });

    it('refuses a writer of another process that lost its lease, for good', async () => {
      const [zombie, owner] = [open(), open()];
      await zombie.append(executionId, 1, textDeltas(2, 'zombie'));
      await owner.append(executionId, 3, [{ event: 'attempt_restarted', data: { attempt: 2, round: 1 } }]);

      await expect(zombie.append(executionId, 3, [textDelta('late')])).rejects.toThrow(
        EventStreamConflictError,
      );
      await owner.append(executionId, 4, textDeltas(2, 'owner'));
      await expect(zombie.append(executionId, 4, [textDelta('later')])).rejects.toThrow(
        EventStreamConflictError,
      );
      expect(await ids()).toEqual([1, 2, 3, 4, 5]);
    });

    it('lets exactly one of several writers win a number', async () => {
      const writers = Array.from({ length: 8 }, open);
      for (let round = 0; round < 20; round += 1) {
        const firstId = 1 + round * 2;
        const outcomes = await Promise.allSettled(
          writers.map((writer, index) =>
            writer.append(executionId, firstId, textDeltas(2, `writer ${index}`)),
          ),
        );
        const winners = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
        const conflicts = outcomes.filter(
          (outcome) => outcome.status === 'rejected' && outcome.reason instanceof EventStreamConflictError,
        );
        expect(winners).toHaveLength(1);
        expect(conflicts).toHaveLength(7);
        expect((await stream.readAfter(executionId, firstId - 1, 10)).map(({ data }) => data)).toEqual(
          textDeltas(2, `writer ${winners[0]}`).map(({ data }) => data),
        );
      }
    });

    it('keeps any text, made storable (NUL dropped, lone surrogates replaced)', async () => {
      const texts = [
        '発注 🍎 \u2028 "quoted" \\ \r\n\t',
        'a\u0000b',
        'lone \ud800 and \udfff',
        '',
        "{'$1'}",
        '\u001b[0m\u007f',
      ];
      await stream.append(executionId, 1, texts.map(textDelta));
      const events = await stream.readAfter(executionId, 0, 10);
      expect(events.map((event) => event.data)).toEqual(
        [
          '発注 🍎 \u2028 "quoted" \\ \r\n\t',
          'ab',
          'lone \ufffd and \ufffd',
          '',
          "{'$1'}",
          '\u001b[0m\u007f',
        ].map((content) => ({ content, round: 1 })),
      );
    });

    it('keeps the data of a tool call as it was', async () => {
      const input = { 数量: 3, nested: [{ a: null }, [0.1, -0, 1e21]], 'key with "quotes"': true, empty: {} };
      await stream.append(executionId, 1, [
        {
          event: 'tool_use',
          data: { tool_use_id: 'call_1', tool_name: 'search', tool_input: input, round: 2 },
        },
      ]);
      const [event] = await stream.readAfter(executionId, 0, 1);
      expect(event).toMatchObject({
        id: 1,
        event: 'tool_use',
        data: { tool_input: { ...input, nested: [{ a: null }, [0.1, 0, 1e21]] } },
      });
    });

    it('keeps a file of 5 MiB and what comes with it', async () => {
      const data = Buffer.alloc(5 * 2 ** 20, 'file').toString('base64');
      const file = { event: 'file', data: { type: 'blob', round: 1, name: 'a.bin', data } } as const;
      const given = [textDelta('before'), file, textDelta('after')];
      const isThere = async (): Promise<boolean> => (await stream.lastId(executionId)) === given.length;
      // On a busy machine an answer may come too late: then the stream says whether the events are there.
      const append = async (): Promise<boolean> =>
        (await isThere()) || stream.append(executionId, 1, given).then(() => true, isThere);
      await waitFor(append, { description: 'the file to be appended' });
      const read = (): Promise<readonly NumberedEvent[]> => stream.readAfter(executionId, 0, 100);
      const kept = await waitFor(read, { description: 'the file to be read' });
      expect(
        isDeepStrictEqual(
          kept,
          given.map((event, at) => ({ id: at + 1, ...event })),
        ),
      ).toBe(true);
    });

    it('appends a batch of 5 000 events, all or none', async () => {
      await stream.append(executionId, 1, textDeltas(5_000));
      expect(await stream.lastId(executionId)).toBe(5_000);
      await expect(stream.append(executionId, 5_000, textDeltas(5_000))).rejects.toThrow(
        EventStreamConflictError,
      );
      expect(await stream.lastId(executionId)).toBe(5_000);
      expect(await ids(4_998)).toEqual([4_999, 5_000]);
    });

    it('passes over events of a newer release without taking them for the end', async () => {
      if (backend.appendUnknown === null) return;
      await stream.append(executionId, 1, textDeltas(1));
      for (const id of [2, 3, 4]) await backend.appendUnknown(executionId, id);
      await stream.append(executionId, 5, textDeltas(2));
      expect(await ids(0, 2)).toEqual([1, 5]);
      expect(await ids(1, 1)).toEqual([5]);
      expect(await ids(1, 2)).toEqual([5, 6]);
    });
  });

  describe('expiring', () => {
    it('drops streams without an append for so long, and no others', async () => {
      const stream = open();
      const executionId = randomUUID();
      await stream.expire(0);
      await stream.append(executionId, 1, textDeltas(3));

      expect(await stream.expire(HOUR_MS)).toBe(0);
      expect(await stream.lastId(executionId)).toBe(3);
      expect(await stream.expire(0)).toBe(3);
      expect(await stream.lastId(executionId)).toBe(0);
      expect(await stream.expire(0)).toBe(0);
    });

    it('goes by the last append, not by the first', async () => {
      const stream = open();
      const [idle, resumed, young] = [randomUUID(), randomUUID(), randomUUID()];
      for (const executionId of [idle, resumed, young]) await stream.append(executionId, 1, textDeltas(3));
      for (const executionId of [idle, resumed]) await backend.age(executionId, 2 * HOUR_MS);
      await stream.append(resumed, 4, textDeltas(1));

      expect(await stream.expire(HOUR_MS)).toBe(3);
      const last = [idle, resumed, young].map((executionId) => stream.lastId(executionId));
      expect(await Promise.all(last)).toEqual([0, 4, 3]);
    });
  });

  describeAppendingTogether(open);
  describeFollowing(open, () => backend);
  describeHearingFollowers(open, () => backend);
  describeSettlementWatches(open, () => backend);
}
