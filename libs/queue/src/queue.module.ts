import { BullModule, getQueueToken } from '@nestjs/bullmq';
import {
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { Queue } from 'bullmq';
import { isError } from '#libs/kernel';
import { QUEUE_NAMES, type QueueName } from '#libs/payloads';
import { selectBackend } from './backend.js';
import { JobCaller } from './job-caller.js';
import { JobProducer } from './job-producer.js';
import { QueueHealth } from './queue-health.js';
import type { QueueOptions } from './queue-options.js';

/** Provides every queue of the catalogue on the configured backend. Workers start only when the app registers them. */
@Module({})
export class QueueModule {
  static forRoot(options: QueueOptions): DynamicModule {
    const { connection, prefix, close } = selectBackend(options);
    const shared = { connection, prefix, extraOptions: { manualRegistration: true } };
    return {
      module: QueueModule,
      global: true,
      imports: [
        BullModule.forRoot(shared),
        BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name }))),
      ],
      providers: [
        {
          provide: JobProducer,
          useFactory: (...queues: Queue[]) => new JobProducer(withErrorListeners(queues, options)),
          inject: QUEUE_NAMES.map((name) => getQueueToken(name)),
        },
        {
          provide: JobCaller,
          useFactory: (...queues: Queue[]) => new JobCaller(byName(queues)),
          inject: QUEUE_NAMES.map((name) => getQueueToken(name)),
        },
        {
          provide: QueueConnections,
          useFactory: (...queues: Queue[]) => new QueueConnections(queues, close, options),
          inject: QUEUE_NAMES.map((name) => getQueueToken(name)),
        },
        {
          provide: QueueHealth,
          useFactory: (...queues: Queue[]) => new QueueHealth(options, queues),
          inject: QUEUE_NAMES.map((name) => getQueueToken(name)),
        },
      ],
      exports: [JobProducer, JobCaller, QueueHealth, BullModule],
    };
  }
}

/** Checks the queues' connections at startup and closes the shared ones at shutdown, after each queue has ended. */
class QueueConnections implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly queues: readonly Queue[],
    private readonly close: () => Promise<void>,
    private readonly options: QueueOptions,
  ) {}

  /**
   * Throws if a queue is unreachable at startup. BullMQ's PostgreSQL backend never retries a failed first connection,
   * so that the queue would reject every job from then on.
   */
  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.waitUntilReady()));
  }

  /** Not awaited: a queue that closes later releases its connections only then. */
  onApplicationShutdown(): void {
    this.close().catch((error: unknown) => {
      this.options.onError(
        isError(error) ? error : new Error('the queue pool did not close', { cause: error }),
      );
    });
  }
}

function withErrorListeners(queues: readonly Queue[], options: QueueOptions): ReadonlyMap<QueueName, Queue> {
  for (const queue of queues) queue.on('error', (error) => options.onError(error));
  return byName(queues);
}

function byName(queues: readonly Queue[]): ReadonlyMap<QueueName, Queue> {
  return new Map(queues.map((queue) => [queue.name as QueueName, queue]));
}
