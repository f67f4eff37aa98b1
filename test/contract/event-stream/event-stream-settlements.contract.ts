import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStream, SettlementNews, SettlementWatch } from '#libs/executions';
import type { ExecutionEvent } from '#libs/payloads';
import type { EventStreamBackend } from './event-stream-backend.js';
import { resultOf, textDelta } from './sample-events.js';

/** Longer than a test may take: a test that waits this long has missed its wake-up. */
const TOO_LONG_MS = 120_000;
const never = new AbortController().signal;

/** The part of the contract about waits for the settlement of an execution in another process. */
export function describeSettlementWatches(open: () => EventStream, backend: () => EventStreamBackend): void {
  describe('waiting for a settlement', () => {
    let writer: EventStream;
    let reader: EventStream;
    let executionId: string;
    beforeEach(async () => {
      writer = open();
      reader = open();
      executionId = randomUUID();
      await connect();
    });

    /** Opens the reader's first connection, which wakes all its waits once, before the test begins. */
    async function connect(): Promise<void> {
      const warmUp = randomUUID();
      const watch = reader.watchSettlement(warmUp);
      await writer.append(warmUp, 1, [asksPerson]);
      await watch.wait(TOO_LONG_MS, never);
      watch.close();
      const second = reader.watchSettlement(warmUp);
      await writer.append(warmUp, 2, [resultOf(warmUp)]);
      await untilSettled(second);
    }

    const news = (watch: SettlementWatch): Promise<SettlementNews> => watch.wait(TOO_LONG_MS, never);

    async function untilSettled(watch: SettlementWatch): Promise<void> {
      while ((await news(watch)).kind !== 'settled');
      watch.close();
    }

    it('is answered with the result, and woken by nothing before', async () => {
      const watch = reader.watchSettlement(executionId);
      await writer.append(executionId, 1, [status('running')]);
      await writer.append(executionId, 2, [textDelta('no news')]);
      await writer.append(executionId, 3, [textDelta('the end'), resultOf(executionId)]);

      expect(await news(watch)).toEqual({ kind: 'settled', result: resultOf(executionId).data });
      watch.close();
    });

    it('never misses one that comes after the watch was made', async () => {
      for (let round = 0; round < 100; round += 1) {
        const id = randomUUID();
        const watch = reader.watchSettlement(id);
        await writer.append(id, 1, [resultOf(id)]);
        expect(await news(watch)).toMatchObject({ kind: 'settled', result: { id } });
        watch.close();
      }
    });

    it('has everybody look who waits for a person to be needed', async () => {
      const watch = reader.watchSettlement(executionId);
      await writer.append(executionId, 1, [asksPerson]);
      expect(await news(watch)).toEqual({ kind: 'look' });
      watch.close();
    });

    it('says of any result, however long, at least that there is one', async () => {
      const ids = Array.from({ length: 30 }, () => randomUUID());
      const watches = ids.map((id) => reader.watchSettlement(id));
      await Promise.all(ids.map((id, index) => writer.append(id, 1, [longResult(id, index * 700)])));

      const kinds = await Promise.all(watches.map(async (watch) => (await news(watch)).kind));

      expect(kinds.slice(0, 5)).toEqual(Array(5).fill('settled'));
      for (const kind of kinds) expect(['settled', 'look']).toContain(kind);
      watches.forEach((watch) => watch.close());
    });

    it('has everybody look when wake-ups may have been missed', async () => {
      const { cutWakeUps } = backend();
      if (cutWakeUps === null) return;
      const watch = reader.watchSettlement(executionId);
      await cutWakeUps();
      expect(await news(watch)).toEqual({ kind: 'look' });
      watch.close();
    });

    it('ends in silence after its time, when the signal aborts and when it is closed', async () => {
      const watch = reader.watchSettlement(executionId);
      expect(await watch.wait(1, never)).toEqual({ kind: 'silence' });
      const abort = new AbortController();
      const [aborted, closed] = [watch.wait(TOO_LONG_MS, abort.signal), news(watch)];
      abort.abort();
      expect(await aborted).toEqual({ kind: 'silence' });
      watch.close();
      expect(await closed).toEqual({ kind: 'silence' });
    });

    it('looks on request, also without a waiting client at that moment', async () => {
      const watch = reader.watchSettlement(executionId);
      watch.wake();
      expect(await news(watch)).toEqual({ kind: 'look' });
      watch.close();
    });
  });
}

function status(now: 'running' | 'requires_action'): ExecutionEvent {
  return { event: 'status', data: { status: now, attempt: 1 } };
}

const asksPerson = status('requires_action');

function longResult(executionId: string, characters: number): ExecutionEvent {
  const event = resultOf(executionId);
  if (event.event !== 'result') throw new Error('expected a result');
  return { event: 'result', data: { ...event.data, metadata: { long: 'x'.repeat(characters) } } };
}
