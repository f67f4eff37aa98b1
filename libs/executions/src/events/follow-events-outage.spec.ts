import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '#libs/kernel';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';
import {
  AwayError,
  fastClock,
  ImpatientStream,
} from '../../../../test/support/fakes/impatient-event-stream.js';
import type { InMemoryEventStream } from '../../../../test/support/fakes/in-memory-event-stream.js';
import { followEvents, type FollowOptions } from './follow-events.js';
import { oneByOne } from '../../../../test/support/one-by-one.js';

const EXECUTION_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const delta = (content: string): ExecutionEvent => ({ event: 'text_delta', data: { content, round: 1 } });

describe('followEvents, when the store does not answer', () => {
  let stream: InMemoryEventStream;
  let options: FollowOptions;
  beforeEach(() => {
    stream = new ImpatientStream();
    options = {
      signal: new AbortController().signal,
      graceMs: 1_000,
      heartbeatMs: 10_000,
      clock: fastClock(),
    };
  });

  function failing(failures: number, error: Error): Pick<InMemoryEventStream, 'readAfter' | 'watch'> {
    let left = failures;
    return {
      watch: (executionId) => stream.watch(executionId),
      readAfter: (...call): Promise<readonly NumberedEvent[]> =>
        left-- > 0 ? Promise.reject(error) : stream.readAfter(...call),
    };
  }

  it('waits for it and goes on where it was', async () => {
    await stream.append(EXECUTION_ID, 1, [delta('a')]);
    const source = failing(5, new AwayError());
    const items = oneByOne(followEvents(source, EXECUTION_ID, 0, { ...options, heartbeatMs: 1e9 }));
    expect((await items.next()).value).toMatchObject({ id: 1, event: 'text_delta' });
    await items.return();
  });

  it('keeps the connection alive and does not take the outage for the end', async () => {
    const source = failing(30, new AwayError());
    const isSettled = (): Promise<boolean> => Promise.resolve(true);
    const items = oneByOne(
      followEvents(source, EXECUTION_ID, 0, { ...options, maxOutageMs: 1e9, isSettled }),
    );
    expect((await items.next()).value).toMatchObject({ event: 'heartbeat' });
    await items.return();
  });

  it('allows the maximum outage each time', async () => {
    let reads = 0;
    const source = {
      watch: (executionId: string) => stream.watch(executionId),
      readAfter: (...call: Parameters<InMemoryEventStream['readAfter']>) => {
        reads += 1;
        return reads % 7 === 0 ? stream.readAfter(...call) : Promise.reject(new AwayError());
      },
    };
    const items = oneByOne(
      followEvents(source, EXECUTION_ID, 0, {
        ...options,
        heartbeatMs: 50_000,
        maxOutageMs: 30_000,
      }),
    );
    for (let count = 0; count < 3; count += 1) {
      expect((await items.next()).value).toMatchObject({ event: 'heartbeat' });
    }
    await items.return();
  });

  it('gives up after its maximum outage', async () => {
    const source = failing(1e9, new AwayError());
    const items = oneByOne(
      followEvents(source, EXECUTION_ID, 0, {
        ...options,
        heartbeatMs: 1e9,
        maxOutageMs: 30_000,
      }),
    );
    await expect(items.next()).rejects.toBeInstanceOf(AwayError);
  });

  it('throws permanent failures at once', async () => {
    const broken = new AppError({ code: 'INTERNAL_ERROR', kind: 'internal', message: 'broken' });
    const items = oneByOne(followEvents(failing(1, broken), EXECUTION_ID, 0, options));
    await expect(items.next()).rejects.toBe(broken);
  });
});
