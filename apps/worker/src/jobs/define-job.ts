import { randomUUID } from 'node:crypto';
import { Processor } from '@nestjs/bullmq';
import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Dispatcher } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import { warnRarely } from '#libs/observability';
import type { JobPayload, QueueName } from '#libs/payloads';
import type { NewJob } from '#libs/queue';
import { DataSource } from 'typeorm';
import { overdueAfter, patienceOf, ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { JobDispatchers, type DispatchedJob } from './job-dispatchers.js';
import { JobHost } from './job-host.js';

/** A row that waits for a job: what its job carries, but for the version. */
type DueRow<Name extends QueueName> = Omit<JobPayload<Name>, 'v'>;

/** The rows that wait in the database for jobs of a queue. */
export interface DueRows<Name extends QueueName> {
  /** Marks as sent, and answers, what is due; what was announced may be due before its time. */
  take(announced: readonly string[], redispatchAfterMs: number): Promise<readonly DueRow<Name>[]>;
  /** Their jobs could not be sent. */
  requeue(due: readonly DueRow<Name>[]): Promise<void>;
  /** Whether one could have been taken up for so many milliseconds, and was not. */
  isOverdue(forMs: number): Promise<boolean>;
}

type Made<T> = FactoryProvider<T>['useFactory'];

export interface JobDefinition<Name extends QueueName> {
  /** One of the catalogue, which says what its jobs carry. */
  readonly queue: Name;
  /** Jobs that one worker process does at once. */
  readonly concurrency: number;
  /** Parts that only this job needs. */
  readonly providers?: readonly Provider[];
  readonly inject: NonNullable<FactoryProvider['inject']>;
  /** Makes, of what is injected, the function that does one job. */
  readonly make: Made<(payload: JobPayload<Name>) => Promise<unknown>>;
  /** Absent where a caller sends the job and waits for its answer: no row says that one is due. */
  readonly rows?: (dataSource: DataSource) => DueRows<Name>;
  /** The end of one job may make another one due. */
  readonly isFollowed?: boolean;
}

export interface DefinedJob extends DispatchedJob {
  readonly host: Type<JobHost>;
  readonly providers: readonly Provider[];
}

/** All that a worker needs for the jobs of one queue. */
export function defineJob<Name extends QueueName>({
  queue,
  concurrency,
  providers = [],
  inject,
  make,
  rows,
  isFollowed = false,
}: JobDefinition<Name>): DefinedJob {
  class Host extends JobHost<Name> {}
  Processor(queue, QUEUE_WORKER_OPTIONS)(Host);
  const host = Host as unknown as Type<JobHost>;
  return {
    queue,
    host,
    providers: [
      ...providers,
      {
        provide: host,
        inject: [DataSource, WORKER_CONFIG, JobDispatchers, ...inject],
        useFactory: async (
          dataSource: DataSource,
          config: AppConfig,
          dispatchers: JobDispatchers,
          ...given: unknown[]
        ) => {
          const waiting = rows?.(dataSource);
          const isWorkDue = async () => (await waiting?.isOverdue(overdueAfter(config))) ?? false;
          const progress = new ProgressWatch(isWorkDue, concurrency, patienceOf(config), systemClock);
          const onEnd = () => isFollowed && dispatchers.trigger(queue);
          return new Host(queue, await make(...given), concurrency, progress, onEnd);
        },
      },
    ],
    dispatcherOf:
      rows === undefined
        ? null
        : ({ dataSource, config, logger, send }, takeAnnounced) => {
            const waiting = rows(dataSource);
            const { redispatchAfterMs } = config.dispatch;
            return new Dispatcher<DueRow<Name>>(
              {
                take: () => waiting.take(takeAnnounced(), redispatchAfterMs),
                requeue: (due) => waiting.requeue(due),
              },
              (due) => send(queue, due.map(jobOf<Name>(queue))),
              warnRarely(logger, `jobs of ${queue} not dispatched`),
            );
          },
  };
}

/** Under an id that no other job has: the queue passes over a second one, and a hint that comes twice is harmless. */
function jobOf<Name extends QueueName>(queue: Name): (due: DueRow<Name>) => NewJob<Name> {
  return (due) => ({ id: `${queue}-${randomUUID()}`, payload: { v: 1, ...due } as JobPayload<Name> });
}
