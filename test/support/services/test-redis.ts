import { describe } from '@jest/globals';
import { createTestRedis, type TestRedis } from './redis-database.js';

/** A suite on a Redis of its own; skipped, with the reason in its name, where no redis-server is installed, but for CI. */
export function describeWithRedis(name: string, suite: (redis: TestRedis) => void): void {
  const redis = createTestRedis();
  if (redis === null) {
    if ((process.env['CI'] ?? '') !== '')
      throw new Error('redis-server is not installed; CI runs both queues');
    describe.skip(`${name} (skipped: redis-server is not installed)`, () => {
      suite({ url: 'redis://127.0.0.1:0', prefix: 'absent' });
    });
  } else {
    describe(name, () => {
      suite(redis);
    });
  }
}
