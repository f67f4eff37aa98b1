import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventStreamUnavailableError, openEventStream, type OpenedEventStream } from '#libs/event-stream';
import { followEvents } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/services/test-database.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { createEventTable } from './event-table.js';
import { FlakyProxy } from '../../support/services/flaky-proxy.js';
import { resultOf, textDelta, textDeltas } from './sample-events.js';
import { oneByOne } from '../../support/one-by-one.js';

const never = new AbortController().signal;
/** Long enough for a busy machine to connect. */
const ANSWER_WITHIN_MS = 1_000;

describe('an event stream whose PostgreSQL fails', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createEventTable(database.url);
  });
  afterAll(() => database.drop());

  describeOutages(
    () => database.url,
    (url, report) => {
      const pool = new Pool({ connectionString: url, max: 2, connectionTimeoutMillis: ANSWER_WITHIN_MS });
      const stream = openEventStream({
        backend: 'postgres',
        pool,
        queryTimeoutMs: ANSWER_WITHIN_MS,
        log: report,
      });
      return { stream, release: () => pool.end() };
    },
  );
});

describeWithRedis('an event stream whose Redis fails', (redis) => {
  describeOutages(
    () => redis.url,
    (url, report) => {
      const options = { url, keyPrefix: redis.prefix, commandTimeoutMs: ANSWER_WITHIN_MS, log: report };
      return { stream: openEventStream({ backend: 'redis', ...options }), release: () => Promise.resolve() };
    },
  );
});

interface Opened {
  readonly stream: OpenedEventStream;
  readonly release: () => Promise<void>;
}

function describeOutages(
  serverUrl: () => string,
  open: (url: string, report: (message: string) => void) => Opened,
): void {
  let proxy: FlakyProxy;
  let opened: Opened;
  let stream: OpenedEventStream;
  let reports: string[];
  let executionId: string;
  beforeEach(async () => {
    reports = [];
    proxy = await FlakyProxy.before(serverUrl());
    opened = open(proxy.through(serverUrl()), (message) => reports.push(message));
    stream = opened.stream;
    executionId = randomUUID();
    await stream.append(executionId, 1, [textDelta('before')]);
  });
  afterEach(async () => {
    await stream.close();
    await proxy.close();
    await opened.release();
  });

  const answersAgain = (): Promise<number> =>
    waitFor(() => stream.lastId(executionId), { description: 'the stream to answer again' });

  it('gives a caller an error instead of waiting for a frozen server', async () => {
    proxy.freeze();
    const errors = await Promise.all(
      [stream.append(executionId, 2, [textDelta('lost?')]), stream.lastId(executionId)].map((call) =>
        call.then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
    for (const error of errors) expect(error).toBeInstanceOf(EventStreamUnavailableError);
    expect(errors[0]).toMatchObject({
      code: 'EVENT_STREAM_UNAVAILABLE',
      kind: 'unavailable',
      retryable: true,
    });
    proxy.thaw();
    await answersAgain();
  });

  it('never sends later what its caller has given up', async () => {
    const comeBack = await proxy.shutDown();
    await expect(stream.append(executionId, 2, textDeltas(3, 'given up'))).rejects.toThrow(
      EventStreamUnavailableError,
    );
    await comeBack();
    await answersAgain();
    await stream.append(executionId, 2, [textDelta('after')]);
    expect(await stream.readAfter(executionId, 1, 10)).toEqual([{ id: 2, ...textDelta('after') }]);
  });

  it('follows through an outage, and reports trouble once, not at every attempt', async () => {
    const followed = collectIds(stream, executionId);
    const comeBack = await proxy.shutDown();
    for (let attempt = 0; attempt < 5; attempt += 1) await stream.lastId(executionId).catch(() => null);
    await comeBack();
    await answersAgain();
    await stream.append(executionId, 2, [resultOf(executionId)]);
    expect(await followed).toEqual([1, 2]);
    expect(new Set(reports).size).toBe(reports.length);
  });
}

async function collectIds(stream: OpenedEventStream, executionId: string): Promise<number[]> {
  const ids: number[] = [];
  const followed = followEvents(stream, executionId, 0, { signal: never, clock: systemClock });
  for await (const item of oneByOne(followed)) {
    if (item.event !== 'heartbeat') ids.push(item.id);
  }
  return ids;
}
