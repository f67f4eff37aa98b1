export { chooseEventStream } from './choose-event-stream.js';
export {
  EventStreamHealth,
  EventStreamModule,
  type EventStreamModuleOptions,
} from './event-stream.module.js';
export { EventStreamUnavailableError } from './event-stream-unavailable-error.js';
export type { EventStreamLog } from './event-stream-log.js';
export { openEventStream, type EventStreamOptions, type OpenedEventStream } from './open-event-stream.js';
export type { PostgresEventStreamOptions } from './postgres/postgres-event-stream.js';
export type { RedisEventStreamOptions } from './redis/redis-event-stream.js';
