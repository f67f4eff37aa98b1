import { beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock, systemTimers } from '#libs/kernel';
import type { ExecutionEvent, ExecutionResult } from '#libs/payloads';
import type { ExecutionEnding } from '../ports/execution-reader.js';
import {
  InMemoryEvents,
  InMemoryEventStream,
} from '../../../../test/support/fakes/in-memory-event-stream.js';
import { executionEvents, findSeenEnding, type FollowedFrom } from './execution-events.js';
import type { FollowedItem } from './follow-events.js';
import { oneByOne } from '../../../../test/support/one-by-one.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const delta = (content: string): ExecutionEvent => ({ event: 'text_delta', data: { content, round: 1 } });
const idOf = (item: FollowedItem): number | null => ('id' in item ? item.id : null);

let stream: InMemoryEventStream;
let status: ExecutionResult['status'];
let ending: Pick<ExecutionResult, 'title_pending'> & { title: string | null };
/** Further fields of the result. */
let details: Partial<ExecutionResult>;
beforeEach(() => {
  details = {};
  stream = new InMemoryEventStream(new InMemoryEvents());
  status = 'running';
  ending = { title_pending: false, title: null };
});

function read(): Promise<ExecutionEnding> {
  const { title, title_pending } = ending;
  return Promise.resolve({ result: { ...details, status, title_pending } as ExecutionResult, title });
}

const isSettled = () => Promise.resolve(status !== 'running');

const follow = (afterId: number, heartbeatMs = 1e9, seen: FollowedFrom['seen'] = 'none', titleWaitMs = 1e9) =>
  oneByOne(
    executionEvents(
      {
        ...{ stream, read, isSettled, graceMs: 1, heartbeatMs, titleWaitMs, sinceEmpty: undefined },
        ...{ clock: systemClock, timers: systemTimers },
      },
      ID,
      { afterId, seen },
      new AbortController().signal,
    ),
  );

async function take(items: ReturnType<typeof follow>, count: number): Promise<FollowedItem[]> {
  const taken: FollowedItem[] = [];
  while (taken.length < count) {
    const next = await items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

describe('executionEvents', () => {
  it('counts on after heartbeats, which have no id and are not resumed after (S4-26)', async () => {
    await stream.append(ID, 2, [delta('a')]);
    const items = follow(0, 0);
    const before = await take(items, 4);
    await stream.append(ID, 3, [delta('b')]);
    const after: FollowedItem[] = [];
    while (after.every((item) => idOf(item) === null)) after.push(...(await take(items, 1)));
    await items.return();

    expect(before.map(idOf)).toEqual([1, 2, null, null]);
    expect(after.map(idOf).filter((id) => id !== null)).toEqual([3]);
    const [heartbeat] = before.slice(2);
    expect(heartbeat).toEqual({ event: 'heartbeat', data: {} });
  });

  it('emits the result under the last number there is, where the stream was lost and begun anew', async () => {
    await stream.append(
      ID,
      2,
      Array.from({ length: 9 }, (_unused, index) => delta(`${index}`)),
    );
    const items = follow(0);
    await take(items, 10);
    stream = new InMemoryEventStream(new InMemoryEvents());
    const resumed = follow(10);
    await stream.append(ID, 2, [delta('of the next attempt')]);
    status = 'completed';

    expect((await take(resumed, 5)).map((item) => [idOf(item), item.event])).toEqual([
      [2_147_483_647, 'result'],
    ]);
    await items.return();
  });

  describe('for an execution whose worker died after the settlement and before its last events', () => {
    beforeEach(async () => {
      await stream.append(ID, 2, [delta('half')]);
      status = 'completed';
      details = { num_turns: 1, result: { message: { content: 'half and half' } } } as ExecutionResult;
    });
    /** Only a silent stream triggers the check whether the execution has ended. */
    async function said(afterId: number) {
      const items: (readonly [number, string])[] = [];
      for await (const item of follow(afterId, 0)) {
        if (item.event === 'heartbeat') continue;
        items.push([item.id, item.event === 'text_delta' ? item.data.content : item.event]);
      }
      return items;
    }

    it('have the rest of its text before the result', async () => {
      expect(await said(0)).toEqual([
        [1, 'status'],
        [2, 'half'],
        [3, ' and half'],
        [4, 'result'],
      ]);
    });

    it('have it for a client that comes back, and once for one that has it', async () => {
      expect(await said(2)).toEqual([
        [3, ' and half'],
        [4, 'result'],
      ]);
      expect(await said(3)).toEqual([[2_147_483_647, 'result']]);
    });
  });

  describe('for an execution that gives its session a title (S4-41)', () => {
    const result = (title_pending: boolean): ExecutionEvent => ({
      event: 'result',
      data: { status: 'completed', title_pending } as ExecutionResult,
    });
    const title: ExecutionEvent = { event: 'title_generated', data: { title: 'Tomatoes' } };
    const TITLE_EVENT = ['title_generated', { title: 'Tomatoes' }];
    const summary = (items: readonly FollowedItem[]) => items.map((item) => [idOf(item), item.event]);

    beforeEach(() => {
      status = 'completed';
      ending = { title_pending: true, title: null };
    });

    it('end with the title, also where it comes long after the result', async () => {
      await stream.append(ID, 2, [result(true)]);
      const items = follow(0, 0);
      const before = await take(items, 4);
      await stream.append(ID, 3, [title]);
      const after: FollowedItem[] = [];
      for await (const item of items) if (idOf(item) !== null) after.push(item);

      expect(before.map((item) => item.event)).toEqual(['status', 'result', 'heartbeat', 'heartbeat']);
      expect(summary(after)).toEqual([[3, 'title_generated']]);
    });

    it('end without the title when it is late; a client that resumes waits again', async () => {
      await stream.append(ID, 2, [result(true)]);
      expect(summary(await take(follow(0, 1e9, 'none', 1), 9))).toEqual([
        [1, 'status'],
        [2, 'result'],
      ]);

      expect(await findSeenEnding(stream, { id: ID, attempt: 1 }, 2)).toBe('result');
      ending.title = 'Tomatoes';
      expect(summary(await take(follow(2, 1e9, 'result', 1), 9))).toEqual([[3, 'title_generated']]);
    });

    it('end with the result where no title follows', async () => {
      ending = { title_pending: false, title: null };
      await stream.append(ID, 2, [result(false), title]);

      expect(summary(await take(follow(0), 9))).toEqual([
        [1, 'status'],
        [2, 'result'],
      ]);
    });

    it('emit the title of the database where the stream has lost it', async () => {
      ending.title = 'Tomatoes';
      await stream.append(ID, 2, [result(true)]);

      const reported = await take(follow(0), 9);

      expect(summary(reported)).toEqual([
        [1, 'status'],
        [2, 'result'],
        [3, 'title_generated'],
      ]);
      expect([reported[2]?.event, reported[2]?.data]).toEqual(TITLE_EVENT);
    });

    it('emit result and title in their order where the stream has lost both, under numbers that rise', async () => {
      ending.title = 'Tomatoes';

      expect(summary(await take(follow(9), 9))).toEqual([
        [2_147_483_646, 'result'],
        [2_147_483_647, 'title_generated'],
      ]);
      expect(summary(await take(follow(0), 9))).toEqual([
        [1, 'status'],
        [2, 'result'],
        [3, 'title_generated'],
      ]);
    });

    it('resume after the result with the title only', async () => {
      await stream.append(ID, 2, [result(true), title]);

      expect(await findSeenEnding(stream, { id: ID, attempt: 1 }, 2)).toBe('result');
      expect(summary(await take(follow(2, 1e9, 'result'), 9))).toEqual([[3, 'title_generated']]);
    });

    it.each([
      [0, 'none'],
      [2, 'none'],
      [3, 'result'],
      [4, 'all'],
      [5, 'none'],
      [2_147_483_646, 'result'],
      [2_147_483_647, 'all'],
    ] as const)('know of a client that saw number %i: %s', async (afterId, seen) => {
      await stream.append(ID, 2, [delta('a'), result(true), title]);

      expect(await findSeenEnding(stream, { id: ID, attempt: 1 }, afterId)).toBe(seen);
    });
  });
});
