import type { EventStream } from '#libs/executions';
import { assertNever } from '#libs/kernel';
import { PostgresEventStream, type PostgresEventStreamOptions } from './postgres/postgres-event-stream.js';
import { RedisEventStream, type RedisEventStreamOptions } from './redis/redis-event-stream.js';

export type EventStreamOptions =
  | ({ readonly backend: 'postgres' } & PostgresEventStreamOptions)
  | ({ readonly backend: 'redis' } & RedisEventStreamOptions);

/** An event stream with connections of its own; whoever opened it closes it. */
export interface OpenedEventStream extends EventStream {
  close(): Promise<void>;
  /** Resolves when its own connections answer, those that are in use; throws else. What it has not opened yet is well. */
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
