import { describeWithProgram } from './describe-with-program.js';
import { createTestRedis, type TestRedis } from './redis-database.js';

/** A placeholder for the Redis of a skipped suite. */
const ABSENT: TestRedis = { url: 'redis://127.0.0.1:0', prefix: 'absent' };

/** Describes a suite with a Redis of its own, like {@link describeWithProgram}. */
export function describeWithRedis(name: string, suite: (redis: TestRedis) => void): void {
  const redis = createTestRedis();
  describeWithProgram({ name: 'redis-server', isInstalled: redis !== null }, name, () => {
    suite(redis ?? ABSENT);
  });
}
