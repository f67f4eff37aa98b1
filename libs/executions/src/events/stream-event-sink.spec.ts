import { describe, expect, it } from '@jest/globals';
import { systemClock, systemTimers } from '#libs/kernel';
import type { ExecutionEvent } from '#libs/payloads';
import {
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
    append: async (...call: Parameters<EventStream['append']>) => {
      appended.push(call[2].length);
      if (isStuck) await stuck.promise;
      return inner.append(...call);
    },
    lastId: async (id: string) => {
      if (isStuck) await stuck.promise;
      return inner.lastId(id);
    },
  } as EventStream;
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
