export { JobCaller } from './job-caller.js';
export { JobProducer, type NewJob } from './job-producer.js';
export { migrateQueueSchema } from './migrate-queue-schema.js';
export { QueueHealth } from './queue-health.js';
export type { QueueOptions } from './queue-options.js';
export { QueueModule } from './queue.module.js';
export { createQueuePool, QUEUE_CONNECTIONS } from './queue-pool.js';
