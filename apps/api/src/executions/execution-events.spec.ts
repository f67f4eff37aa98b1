import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ExecutionEvent, ExecutionView } from '#libs/payloads';
import {
  InMemoryEvents,
  InMemoryEventStream,
} from '../../../../test/support/fakes/in-memory-event-stream.js';
import { executionEvents } from './execution-events.js';
import { formatServerSentEvent, type OutgoingEvent } from './server-sent-event.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const delta = (content: string): ExecutionEvent => ({ event: 'text_delta', data: { content, round: 1 } });
const idOf = (item: OutgoingEvent): number | null => ('id' in item ? item.id : null);

let stream: InMemoryEventStream;
let status: ExecutionView['status'];
beforeEach(() => {
  stream = new InMemoryEventStream(new InMemoryEvents());
  status = 'running';
});

const follow = (afterId: number, heartbeatMs = 1e9) =>
  executionEvents(
    { stream, read: () => Promise.resolve({ status } as ExecutionView), pollMs: 1, heartbeatMs },
    ID,
    afterId,
    new AbortController().signal,
  );

async function take(items: ReturnType<typeof follow>, count: number): Promise<OutgoingEvent[]> {
  const taken: OutgoingEvent[] = [];
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
    const after: OutgoingEvent[] = [];
    while (after.every((item) => idOf(item) === null)) after.push(...(await take(items, 1)));
    await items.return();

    expect(before.map(idOf)).toEqual([1, 2, null, null]);
    expect(after.map(idOf).filter((id) => id !== null)).toEqual([3]);
    const [heartbeat] = before.slice(2);
    expect(heartbeat && formatServerSentEvent(heartbeat)).toBe('event: heartbeat\ndata: {}\n\n');
  });

  it('tells the result under the last number there is, where the stream was lost and begun anew', async () => {
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
});
