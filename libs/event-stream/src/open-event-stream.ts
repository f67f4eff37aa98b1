import type { EventStream } from '#libs/executions';
import { assertNever } from '#libs/kernel';
import { PostgresEventStream, type PostgresEventStreamOptions } from './postgres/postgres-event-stream.js';
import { RedisEventStream, type RedisEventStreamOptions } from './redis/redis-event-stream.js';

export type EventStreamOptions =
  | ({ readonly backend: 'postgres' } & PostgresEventStreamOptions)
  | ({ readonly backend: 'redis' } & RedisEventStreamOptions);

/** An event stream with its own connections, which the caller that opened it must close. */
export interface OpenedEventStream extends EventStream {
  close(): Promise<void>;
  /**
   * Resolves if its open connections respond, and throws otherwise. A connection that is not open yet counts as
   * healthy.
   */
  check(): Promise<void>;
}

export function openEventStream(options: EventStreamOptions): OpenedEventStream {
  switch (options.backend) {
    case 'postgres':
      return new PostgresEventStream(options);
    case 'redis':
      return new RedisEventStream(options);
    default:
      return assertNever(options);
  }
}
