import { afterEach, expect, it } from '@jest/globals';
import { RedisQueueBackend, setDefaultBackendFactory, type RedisOptions } from 'bullmq';
import { selectBackend } from './backend.js';

afterEach(() => setDefaultBackendFactory());

it.each([1_000, 15_000, undefined])(
  'a connection to Redis outlasts the command in which BullMQ waits for a job, timeout %s',
  (silenceMs) => {
    const { connection } = selectBackend({
      ...{ redisUrl: 'redis://127.0.0.1:6379', databaseUrl: '', connections: {}, onError: () => undefined },
      ...(silenceMs !== undefined && { silenceMs }),
    });
    const { socketTimeout } = connection as RedisOptions;
    const waits = RedisQueueBackend.prototype.maximumBlockTimeout * 1_000;
    expect(waits).toBeGreaterThan(0);
    expect(socketTimeout).toBeGreaterThan(waits);
  },
);
