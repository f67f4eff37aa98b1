import { Processor } from '@nestjs/bullmq';
import { Module, type DynamicModule, type FactoryProvider, type Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import type { JobPayload, QueueName } from '#libs/payloads';
import { overdueAfter, patienceOf, ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import type { DueRows } from './due-rows.js';
import { JobDispatchers } from './job-dispatchers.js';
import { JobHost } from './job-host.js';

type Made<T> = FactoryProvider<T>['useFactory'];

export interface JobDefinition<Name extends QueueName> {
  /** One of the catalogue, which says what its jobs carry. */
  readonly queue: Name;
  /** Jobs that one worker process does at once. */
  readonly concurrency: number;
  /** Modules of what is injected; global ones need no mention. */
  readonly imports?: NonNullable<DynamicModule['imports']>;
  /** Parts that only this job needs. */
  readonly providers?: readonly Provider[];
  readonly inject: NonNullable<FactoryProvider['inject']>;
  /** Makes, of what is injected, the function that does one job. */
  readonly make: Made<(payload: JobPayload<Name>) => Promise<unknown>>;
  /** The rows that wait in the database for its jobs. Absent where a caller sends the job and waits for its answer. */
  readonly rows?: {
    readonly inject: NonNullable<FactoryProvider['inject']>;
    readonly make: Made<DueRows<Name>>;
  };
  /** The end of one job may make another one due. */
  readonly isFollowed?: boolean;
}

export interface DefinedJob {
  readonly queue: QueueName;
  /** Does its jobs. */
  readonly module: DynamicModule;
  /** Provides its {@link DueRows}; null where a caller sends it and waits for its answer. */
  readonly rows: FactoryProvider | null;
}

/** Each job has one of its own. */
@Module({})
class JobModule {}

/** Everything that a worker needs for the jobs of one queue. */
export function defineJob<Name extends QueueName>({
  queue,
  concurrency,
  imports = [],
  providers = [],
  inject,
  make,
  rows,
  isFollowed = false,
}: JobDefinition<Name>): DefinedJob {
  class Host extends JobHost<Name> {}
  Processor(queue, QUEUE_WORKER_OPTIONS)(Host);
  const makeHost = async (config: AppConfig, jobs: JobDispatchers, ...given: unknown[]): Promise<Host> => {
    const isWorkDue = () => jobs.isOverdue(queue, overdueAfter(config));
    const progress = new ProgressWatch(isWorkDue, concurrency, patienceOf(config), systemClock);
    const onEnd = () => isFollowed && jobs.trigger(queue);
    return new Host(queue, await make(...given), concurrency, progress, onEnd);
  };
  return {
    queue,
    module: {
      module: JobModule,
      imports,
      providers: [
        ...providers,
        { provide: Host, inject: [WORKER_CONFIG, JobDispatchers, ...inject], useFactory: makeHost },
      ],
    },
    rows: rows ? { provide: Symbol(`rows of ${queue}`), inject: rows.inject, useFactory: rows.make } : null,
  };
}
