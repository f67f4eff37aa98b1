import { describeWithProgram } from './describe-with-program.js';
import { createTestRedis, type TestRedis } from './redis-database.js';

/** Stands for the Redis of a suite that is skipped. */
const ABSENT: TestRedis = { url: 'redis://127.0.0.1:0', prefix: 'absent' };

/** A suite on a Redis of its own, as {@link describeWithProgram} has it. */
export function describeWithRedis(name: string, suite: (redis: TestRedis) => void): void {
  const redis = createTestRedis();
  describeWithProgram({ name: 'redis-server', isInstalled: redis !== null }, name, () => {
    suite(redis ?? ABSENT);
  });
}
