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

  it('gives events up where nobody can say who is overtaken, and goes on with the next', async () => {
    const { open, appended, losses } = twoAttempts();
    const first = open(yes);
    let isAway = true;
    const unsure = open(() => (isAway ? Promise.reject(new Error('the database is away')) : yes()));
    first.emit(status(1));
    await first.flush();
    unsure.emit(status(2));
    await unsure.flush();
    expect(losses).toEqual([1]);
    isAway = false;
    unsure.emit(status(3));
    await unsure.flush();
    expect(await appended()).toEqual([
      [2, 1],
      [3, 3],
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

describe('how events are written', () => {
  const thought = (content: string): ExecutionEvent => ({ event: 'thinking', data: { content, round: 1 } });
  const ofRound = (round: number, content: string): ExecutionEvent => ({
    event: 'text_delta',
    data: { content, round },
  });
  const ofScope = (scope: string, content: string): ExecutionEvent => ({
    event: 'text_delta',
    data: { content, round: 1, scope },
  });
  const words = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_unused, index): [number, ExecutionEvent] => [
      index * everyMs,
      text(`${index} `),
    ]);

  /** When what was emitted at those times was appended, and what each append said. */
  async function appendsOf(emitted: readonly (readonly [number, ExecutionEvent])[]) {
    const now = new ManualTime();
    const appends: [number, string][] = [];
    const stream = {
      append: (_id: string, _firstId: number, events: readonly ExecutionEvent[]) => {
        const said = events.map(({ event, data }) => ('content' in data ? data.content : event));
        appends.push([now.monotonic(), said.join('|')]);
        return Promise.resolve();
      },
    } as unknown as EventStream;
    const listener = { isCurrent: yes, onLoss: () => undefined };
    const sink = new StreamEventSink(stream, ID, 2, listener, { clock: now, timers: now });
    for (const [at, event] of emitted) {
      await now.pass(at - now.monotonic());
      sink.emit(event);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await now.pass(1_000);
    return appends;
  }

  it.each([
    ['the first text at once', [[0, text('a')]], [[0, 'a']]],
    [
      'the first text together with what waits',
      [
        [0, status(1)],
        [10, text('a')],
      ],
      [[10, 'status|a']],
    ],
    [
      'what follows within 25 ms together',
      [
        [0, text('a')],
        [1, text('b')],
        [20, text('c')],
        [30, text('d')],
      ],
      [
        [0, 'a'],
        [26, 'bc'],
        [55, 'd'],
      ],
    ],
    [
      'the first text of each round at once',
      [
        [0, ofRound(1, 'a')],
        [5, ofRound(2, 'b')],
        [6, ofRound(2, 'c')],
      ],
      [
        [0, 'a'],
        [5, 'b'],
        [31, 'c'],
      ],
    ],
    [
      'the first thought at once, and so the text that follows it',
      [
        [0, thought('a')],
        [5, text('b')],
      ],
      [
        [0, 'a'],
        [5, 'b'],
      ],
    ],
    [
      'the first text of each agent at once',
      [
        [0, ofScope('1.0', 'a')],
        [5, ofScope('1.1', 'b')],
        [6, ofScope('1.0', 'c')],
      ],
      [
        [0, 'a'],
        [5, 'b'],
        [31, 'c'],
      ],
    ],
    [
      'other events within 25 ms, and text that waits for longer with them',
      [
        [0, text('a')],
        [1_600, text('b')],
        [1_610, status(2)],
      ],
      [
        [0, 'a'],
        [1_635, 'b|status'],
      ],
    ],
    [
      'much text without waiting for more',
      [
        [0, text('a')],
        [1, text('b'.repeat(20_000))],
      ],
      [
        [0, 'a'],
        [1, 'b'.repeat(20_000)],
      ],
    ],
  ] as [string, [number, ExecutionEvent][], [number, string][]][])('%s', async (_name, emitted, appended) => {
    expect(await appendsOf(emitted)).toEqual(appended);
  });

  it('a long answer in few appends, none of its text later than 100 ms', async () => {
    const emitted = words(1_500, 20);
    const appends = await appendsOf(emitted);

    expect(appends.map(([, said]) => said).join('')).toBe(
      emitted.map((_word, index) => `${index} `).join(''),
    );
    expect(appends.length).toBeLessThan(320);
    const writtenAt = appends.flatMap(([at, said]) =>
      said
        .trim()
        .split(' ')
        .map(() => at),
    );
    const delays = emitted.map(([at], index) => (writtenAt[index] ?? Infinity) - at);
    expect(Math.max(...delays)).toBeLessThanOrEqual(100);
  });
});

/** A stream that answers when the test lets it. */
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
    // Nobody waited, nothing was lost: what was emitted meanwhile follows in order.
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
    for (let piece = 0; piece < 10; piece += 1) sink.emit(text('x'.repeat(1_000_000)));
    sink.emit(status(2));
    expect(losses.length).toBeGreaterThan(0);
    unstick();
    const newest = { event: 'status', data: { attempt: 2 } };
    const last = () => inner.events(ID).findLast((event) => event.event === 'status');
    await waitFor(() => (last()?.id ?? 2) !== 2, { description: 'the newest event' });
    expect(last()).toMatchObject(newest);
  });
});
