import { Processor } from '@nestjs/bullmq';
import { Module, type DynamicModule, type FactoryProvider, type Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import type { JobPayload, QueueName } from '#libs/payloads';
import { overdueAfter, stuckAfter, ProgressWatch } from '../health/progress-watch.js';
import { QUEUE_WORKER_OPTIONS } from '../queue/worker-registrar.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import type { DueRows } from './due-rows.js';
import { JobDispatchers } from './job-dispatchers.js';
import { JobHost } from './job-host.js';

type Made<T> = FactoryProvider<T>['useFactory'];

export interface JobDefinition<Name extends QueueName> {
  /** Queue of the job catalogue, which defines the payload. */
  readonly queue: Name;
  /** Maximum jobs in parallel per worker process. */
  readonly concurrency: number;
  /** Modules that provide the injected parts; global ones may be omitted. */
  readonly imports?: NonNullable<DynamicModule['imports']>;
  /** Providers used only by this job. */
  readonly providers?: readonly Provider[];
  readonly inject: NonNullable<FactoryProvider['inject']>;
  /** Builds the job's handler from the injected parts. */
  readonly make: Made<(payload: JobPayload<Name>) => Promise<unknown>>;
  /** Rows in the database that wait for its jobs. Absent if a caller sends the job and waits for its answer. */
  readonly rows?: {
    readonly inject: NonNullable<FactoryProvider['inject']>;
    readonly make: Made<DueRows<Name>>;
  };
  /** True if the end of one job may make another one due. */
  readonly isFollowed?: boolean;
}

export interface DefinedJob {
  readonly queue: QueueName;
  /** Module that runs its jobs. */
  readonly module: DynamicModule;
  /** Provider of its {@link DueRows}; null if a caller sends the job and waits for its answer. */
  readonly rows: FactoryProvider | null;
}

/** Base of one dynamic module per job. */
@Module({})
class JobModule {}

/** Builds a worker's parts for the jobs of one queue. */
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
    const progress = new ProgressWatch(isWorkDue, concurrency, stuckAfter(config), systemClock);
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
