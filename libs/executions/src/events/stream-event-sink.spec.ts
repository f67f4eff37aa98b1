import { describe, expect, it } from '@jest/globals';
import { systemClock, systemTimers } from '#libs/kernel';
import type { ExecutionEvent } from '#libs/payloads';
import {
  FOLLOWED,
  InMemoryEvents,
  InMemoryEventStream,
} from '../../../../test/support/fakes/in-memory-event-stream.js';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import { waitFor } from '../../../../test/support/services/wait-for.js';
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
const no = () => Promise.resolve(false);

/** Two attempts of one execution; the second one has overtaken the first. */
function twoAttempts() {
  const events = new InMemoryEvents();
  const stream = new InMemoryEventStream(events);
  const losses: number[] = [];
  const onLoss = (_error: unknown, count: number) => void losses.push(count);
  const open = (isCurrent: () => Promise<boolean>, nextId: number | null = 2) =>
    new StreamEventSink(new InMemoryEventStream(events), ID, nextId, { isCurrent, onLoss }, time);
  const appended = async () =>
    (await stream.readAfter(ID, 0, 100)).map(({ id, data }) => [id, (data as { attempt: number }).attempt]);
  return { open, appended, losses };
}

describe('StreamEventSink', () => {
  it('goes past what an overtaken attempt appended at the last moment, and loses nothing of its own', async () => {
    const { open, appended, losses } = twoAttempts();
    const old = open(no);
    const current = open(yes);
    old.emit(status(1));
    await old.flush();
    current.emit(status(2));
    await current.flush();
    current.emit(status(2));
    await current.flush();
    expect(await appended()).toEqual([
      [2, 1],
      [3, 2],
      [4, 2],
    ]);
    expect(losses).toEqual([]);
  });

  it('falls silent as an overtaken attempt as soon as the new one has appended anything', async () => {
    const { open, appended } = twoAttempts();
    const old = open(no);
    const current = open(yes);
    current.emit(status(2));
    await current.flush();
    old.emit(status(1));
    await old.flush();
    old.emit(status(1));
    await old.flush();
    expect(await appended()).toEqual([[2, 2]]);
  });

  it('drops events while it is unknown which attempt lost its lease, and continues with the next', async () => {
    const { open, appended, losses } = twoAttempts();
    const first = open(yes);
    let isAway = true;
    const unsure = open(() => (isAway ? Promise.reject(new Error('the database is away')) : yes()));
    first.emit(status(1));
    await first.flush();
    unsure.emit(status(2));
    await unsure.flush();
    await waitFor(() => losses.length > 0, { description: 'the loss' });
    expect(losses).toEqual([1]);
    isAway = false;
    unsure.emit(status(3));
    await unsure.flush();
    expect(await appended()).toEqual([
      [2, 1],
      // The `events_dropped` event for the missing one.
      [3, undefined],
      [4, 3],
    ]);
  });

  it('asks a later attempt’s stream where it begins', async () => {
    const { open, appended } = twoAttempts();
    const first = open(yes);
    first.emit(status(1));
    await first.flush();
    const second = open(yes, null);
    second.emit(status(2));
    await second.flush();
    expect(await appended()).toEqual([
      [2, 1],
      [3, 2],
    ]);
  });
});

/** A stream that answers only when the test allows it. */
function slowStream() {
  const inner = new InMemoryEventStream();
  const appended: number[] = [];
  const stuck = Promise.withResolvers<null>();
  let isStuck = true;
  const stream = {
    watchFollowers: () => FOLLOWED,
    append: async (...call: Parameters<EventStream['append']>) => {
      appended.push(call[2].length);
      if (isStuck) await stuck.promise;
      return inner.append(...call);
    },
    lastId: async (id: string) => {
      if (isStuck) await stuck.promise;
      return inner.lastId(id);
    },
  } as unknown as EventStream;
  const unstick = (): void => {
    isStuck = false;
    stuck.resolve(null);
  };
  return { stream, inner, appended, unstick };
}

describe('a stream that does not answer', () => {
  it.each([2, null])('holds a flush up once, and no later one (first event: %s)', async (nextId) => {
    const { stream, inner, unstick } = slowStream();
    const sink = new StreamEventSink(
      stream,
      ID,
      nextId,
      { isCurrent: yes, onLoss: () => undefined },
      time,
      1,
    );
    sink.emit(status(1));
    await sink.flush();
    sink.emit(status(2));
    await sink.flush();
    unstick();
    sink.emit(status(3));
    await sink.flush();
    // No attempt waited and no event was lost: events emitted in between follow in order.
    await waitFor(() => inner.events(ID).length === 3, { description: 'the three events' });
    expect(inner.events(ID).map(({ id }) => id)).toEqual([2, 3, 4]);
  });

  it('gets what was emitted during an append as one more, at its time', async () => {
    const { stream, inner, appended, unstick } = slowStream();
    const now = new ManualTime();
    const listener = { isCurrent: yes, onLoss: () => undefined };
    const sink = new StreamEventSink(stream, ID, 2, listener, { clock: now, timers: now });
    for (const content of ['a', 'b', 'c']) sink.emit(text(content));
    unstick();
    await waitFor(() => inner.events(ID).length === 1, { description: 'the first text' });
    await now.pass(24);
    expect(appended).toEqual([1]);
    await now.pass(1);
    expect(inner.events(ID).map(({ data }) => data)).toEqual([
      { content: 'a', round: 1 },
      { content: 'bc', round: 1 },
    ]);
  });

  it('costs no more memory than a bound, and the newest event stays', async () => {
    const { stream, inner, unstick } = slowStream();
    const losses: number[] = [];
    const onLoss = (_error: unknown, count: number) => void losses.push(count);
    const sink = new StreamEventSink(stream, ID, 2, { isCurrent: yes, onLoss }, time, 1);
    sink.emit(status(1));
    await sink.flush();
    for (let piece = 0; piece < 20; piece += 1) sink.emit(text('x'.repeat(1_000_000)));
    sink.emit(status(2));
    expect(losses.length).toBeGreaterThan(0);
    unstick();
    const newest = { event: 'status', data: { attempt: 2 } };
    const last = () => inner.events(ID).findLast((event) => event.event === 'status');
    await waitFor(() => (last()?.id ?? 2) !== 2, { description: 'the newest event' });
    expect(last()).toMatchObject(newest);
  });
});

describe('a stream without a follower', () => {
  function unfollowed() {
    const events = new InMemoryEvents();
    const stream = new InMemoryEventStream(events, true);
    const appended: number[] = [];
    const append = stream.append.bind(stream);
    stream.append = (...call) => {
      appended.push(call[2].length);
      return append(...call);
    };
    const now = new ManualTime();
    const listener = { isCurrent: yes, onLoss: () => undefined };
    const open = (nextId: number | null = 2) =>
      new StreamEventSink(stream, ID, nextId, listener, { clock: now, timers: now });
    const follow = () => new InMemoryEventStream(events).watch(ID);
    return { appended, events: () => stream.events(ID), now, open, follow };
  }

  it('gets all events of an attempt in one append, at its end', async () => {
    const { appended, events, now, open } = unfollowed();
    const sink = open();
    for (const event of [status(1), text('a'), text('b'), status(2)]) sink.emit(event);
    await now.pass(4_999);
    expect(appended).toEqual([]);
    await sink.flush();
    expect(appended).toEqual([3]);
    expect(events().map(({ id }) => id)).toEqual([2, 3, 4]);
    expect(now.isIdle).toBe(true);
  });

  it('gets what waits when a follower comes, and later events at their pace', async () => {
    const { appended, events, now, open, follow } = unfollowed();
    const sink = open();
    for (const event of [status(1), text('a'), text('b')]) sink.emit(event);
    await now.pass(1_000);
    expect(appended).toEqual([]);
    expect(sink.isFollowed()).toBe(false);
    follow();
    await now.pass(0);
    expect(sink.isFollowed()).toBe(true);
    await waitFor(() => appended.length === 1, { description: 'the append' });
    expect(events().map(({ data }) => data)).toEqual([
      { status: 'running', attempt: 1 },
      { content: 'ab', round: 1 },
    ]);
    sink.emit(text('c'));
    await waitFor(() => appended.length === 2, { description: 'the first text' });
    sink.emit(text('d'));
    expect(appended).toEqual([2, 1]);
    await now.pass(25);
    expect(appended).toEqual([2, 1, 1]);
    expect(events().map(({ id }) => id)).toEqual([2, 3, 4, 5]);
  });

  it('is written at once from the start where the follower came before the attempt', async () => {
    const { appended, open, follow } = unfollowed();
    follow();
    open().emit(text('a'));
    await waitFor(() => appended.length === 1, { description: 'the first text' });
  });

  it('has the place of a later attempt soon, so that the earlier one finds it taken, and the rest at the end', async () => {
    const { appended, events, now, open } = unfollowed();
    const [earlier, later] = [open(), open(null)];
    earlier.emit(text('too late'));
    later.emit(status(2));
    await now.pass(100);
    expect(appended).toEqual([1]);
    later.emit(text('a'));
    await now.pass(4_000);
    await later.flush();
    expect(appended).toEqual([1, 1]);
    expect(events().map(({ id }) => id)).toEqual([2, 3]);
  });

  it('gets what waits after five seconds, and what is much at once: a process that dies loses no more', async () => {
    const { appended, now, open } = unfollowed();
    const sink = open();
    sink.emit(text('a'));
    await now.pass(5_000);
    expect(appended).toEqual([1]);
    sink.emit(text('b'.repeat(16_000)));
    await waitFor(() => appended.length === 2, { description: 'the long text' });
  });

  it('gets what waits at the end of an attempt that has not flushed, and hears of no follower then', async () => {
    const { appended, now, open, follow } = unfollowed();
    const sink = open();
    sink.emit(text('a'));
    sink.end();
    await waitFor(() => appended.length === 1, { description: 'the append' });
    sink.emit(text('b'));
    follow();
    await now.pass(4_999);
    expect(appended).toEqual([1]);
  });
});
