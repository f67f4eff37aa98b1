import { describe, expect, it } from '@jest/globals';
import type { ExecutionEvent } from '#libs/payloads';
import { FOLLOWED } from '../../../../test/support/fakes/in-memory-event-stream.js';
import { ManualTime } from '../../../../test/support/fakes/manual-time.js';
import type { EventStream } from '../ports/event-stream.js';
import { StreamEventSink } from './stream-event-sink.js';

const status = (attempt: number): ExecutionEvent => ({
  event: 'status',
  data: { status: 'running', attempt },
});
const text = (content: string): ExecutionEvent => ({ event: 'text_delta', data: { content, round: 1 } });

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

  /** Returns the time and the content of each append for events emitted at these times. */
  async function appendsOf(emitted: readonly (readonly [number, ExecutionEvent])[]) {
    const now = new ManualTime();
    const appends: [number, string][] = [];
    const stream = {
      watchFollowers: () => FOLLOWED,
      append: (_id: string, _firstId: number, events: readonly ExecutionEvent[]) => {
        const said = events.map(({ event, data }) => ('content' in data ? data.content : event));
        appends.push([now.monotonic(), said.join('|')]);
        return Promise.resolve();
      },
    } as unknown as EventStream;
    const listener = { isCurrent: () => Promise.resolve(true), onLoss: () => undefined };
    const sink = new StreamEventSink(stream, 'e1', 2, listener, { clock: now, timers: now });
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
      'texts that follow within 25 ms together',
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
      'other events within 100 ms, together with those that come until then',
      [
        [0, status(1)],
        [60, status(2)],
        [150, status(3)],
      ],
      [
        [100, 'status|status'],
        [250, 'status'],
      ],
    ],
    [
      'other events with text that is written before',
      [
        [0, text('a')],
        [50, status(1)],
        [60, text('b')],
      ],
      [
        [0, 'a'],
        [85, 'status|b'],
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
