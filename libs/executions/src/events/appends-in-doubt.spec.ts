import { describe, expect, it } from '@jest/globals';
import { systemClock, systemTimers } from '#libs/kernel';
import type { ExecutionEvent } from '#libs/payloads';
import {
  InMemoryEvents,
  InMemoryEventStream,
} from '../../../../test/support/fakes/in-memory-event-stream.js';
import type { EventStream } from '../ports/event-stream.js';
import { StreamEventSink } from './stream-event-sink.js';

const ID = 'e1';
const status = (attempt: number): ExecutionEvent => ({
  event: 'status',
  data: { status: 'running', attempt },
});
const text = (content: string): ExecutionEvent => ({ event: 'text_delta', data: { content, round: 1 } });
const time = { clock: systemClock, timers: systemTimers };
const yes = () => Promise.resolve(true);

/**
 * The text that a follower shows after `attempt_restarted` has revoked earlier text. An overtaken attempt that still
 * writes would revoke the text of its successor.
 */
describe('a later attempt that was overtaken before it wrote anything', () => {
  const begins = (attempt: number): readonly ExecutionEvent[] => [
    status(attempt),
    { event: 'attempt_restarted', data: { attempt, round: 1 } },
  ];
  /** `old` belongs to the second attempt, `current` to the third, each on its own connections. */
  function overtaken(between: Partial<EventStream> = {}) {
    const events = new InMemoryEvents();
    const stream = new InMemoryEventStream(events);
    const claim = { holder: 2 };
    const open = (attempt: number, on: EventStream) => {
      const isCurrent = () => Promise.resolve(claim.holder === attempt);
      return new StreamEventSink(on, ID, null, { isCurrent, onLoss: () => undefined }, time);
    };
    const write = async (sink: StreamEventSink, written: readonly ExecutionEvent[]) => {
      for (const event of written) sink.emit(event);
      await sink.flush();
    };
    const takeOver = async () => {
      claim.holder = 3;
      await write(open(3, stream), [...begins(3), text('whole')]);
    };
    const names = () => stream.events(ID).map(({ event }) => event);
    const slow = Object.assign(new InMemoryEventStream(events), between);
    return { stream, takeOver, names, speakLate: () => write(open(2, slow), begins(2)) };
  }
  const winner = ['status', 'attempt_restarted', 'text_delta'];

  it('is silent', async () => {
    const { takeOver, names, speakLate } = overtaken();
    await takeOver();
    await speakLate();
    expect(names()).toEqual(winner);
  });

  it.each(['before', 'after'])(
    'is silent, too, where that happens right %s it reads its place',
    async (when) => {
      const world = overtaken({
        lastId: async () => {
          if (when === 'before') await world.takeOver();
          const last = await world.stream.lastId(ID);
          if (when === 'after' && last === 0) await world.takeOver();
          return last;
        },
      });
      await world.speakLate();
      expect(world.names()).toEqual(winner);
    },
  );

  it('is silent, too, where that happens right before it appends', async () => {
    let isFirst = true;
    const world = overtaken({
      append: async (...call) => {
        if (isFirst) await world.takeOver();
        isFirst = false;
        return world.stream.append(...call);
      },
    });
    await world.speakLate();
    expect(world.names()).toEqual(winner);
  });

  it('is silent, too, after an append whose answer it did not get', async () => {
    let isFirst = true;
    const world = overtaken({
      append: async (...call) => {
        if (!isFirst) return world.stream.append(...call);
        isFirst = false;
        await world.takeOver();
        throw new Error('no answer');
      },
    });
    await world.speakLate();
    expect(world.names()).toEqual(winner);
  });
});

describe('an append without an answer', () => {
  /** @param first handles the first append, which gets no answer; later appends work */
  async function write(
    first: (append: () => Promise<void>) => Promise<void>,
    afterALook = () => Promise.resolve(),
  ) {
    const inner = new InMemoryEventStream();
    const losses: number[] = [];
    let appends = 0;
    const append: EventStream['append'] = (...call) => {
      appends += 1;
      return appends === 1 ? first(() => inner.append(...call)) : inner.append(...call);
    };
    const stream = Object.assign(new InMemoryEventStream(), {
      append,
      lastId: inner.lastId.bind(inner),
      readAfter: async (...call: Parameters<EventStream['readAfter']>) => {
        const there = await inner.readAfter(...call);
        await afterALook();
        return there;
      },
    });
    const onLoss = (_error: unknown, count: number) => void losses.push(count);
    const sink = new StreamEventSink(stream, ID, 2, { isCurrent: yes, onLoss }, time, 60_000);
    for (const content of ['a', 'b']) {
      sink.emit(text(content));
      await sink.flush();
    }
    const contents = inner.events(ID).map(({ id, data }) => [id, 'content' in data && data.content]);
    return { contents, losses };
  }
  const once = {
    contents: [
      [2, 'a'],
      [3, 'b'],
    ],
    losses: [],
  };

  it('is not repeated where it has landed', async () => {
    const landed = await write(async (append) => {
      await append();
      throw new Error('no answer');
    });
    expect(landed).toEqual(once);
  });

  it('is repeated where it has not', async () => {
    expect(await write(() => Promise.reject(new Error('no answer')))).toEqual(once);
  });

  it('is not repeated where it lands after it was looked for', async () => {
    const landings: (() => Promise<void>)[] = [];
    const late = await write(
      (append) => {
        landings.push(append);
        return Promise.reject(new Error('no answer'));
      },
      async () => {
        await landings.pop()?.();
      },
    );
    expect(late).toEqual(once);
  });

  it('is not confused with an append of another worker at its place', async () => {
    const inner = new InMemoryEvents();
    const other = new InMemoryEventStream(inner);
    let isFirst = true;
    const stream = Object.assign(new InMemoryEventStream(inner), {
      append: async (...call: Parameters<EventStream['append']>) => {
        if (!isFirst) return other.append(...call);
        isFirst = false;
        await other.append(ID, 2, [text('of another')]);
        throw new Error('no answer');
      },
    });
    const sink = new StreamEventSink(
      stream,
      ID,
      2,
      { isCurrent: yes, onLoss: () => undefined },
      time,
      60_000,
    );
    sink.emit(text('of this one'));
    await sink.flush();
    expect(other.events(ID).map(({ id, data }) => [id, 'content' in data && data.content])).toEqual([
      [2, 'of another'],
      [3, 'of this one'],
    ]);
  });
});
