import { Global, Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import {
  DueExecutionDispatcher,
  EndedExecutionTrigger,
  LostJobsDispatcher,
} from '../execute/execution-dispatchers.js';
import { IngestionDispatcher } from '../ingest/ingestion-dispatcher.js';
import type { DueRows } from '../jobs/due-rows.js';
import { JobDispatchers } from '../jobs/job-dispatchers.js';
import { jobs } from '../jobs/jobs.js';
import { DeliveryDispatcher } from '../webhooks/delivery-dispatcher.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { JobSender } from './job-sender.js';

const waiting = jobs.flatMap(({ queue, rows }) => (rows === null ? [] : [{ queue, rows }]));

const DISPATCHERS = [
  DueExecutionDispatcher,
  EndedExecutionTrigger,
  LostJobsDispatcher,
  DeliveryDispatcher,
  IngestionDispatcher,
];

/**
 * Dispatchers of jobs for rows that wait in the database. Global: workers have them in every role, isolated attempts have
 * none.
 */
@Global()
@Module({
  providers: [
    JobSender,
    ...DISPATCHERS,
    ...waiting.map(({ rows }) => rows),
    {
      provide: JobDispatchers,
      inject: [JobSender, WORKER_CONFIG, LOGGER, ...waiting.map(({ rows }) => rows.provide)],
      useFactory: ({ send }: JobSender, config: AppConfig, logger: Logger, ...rows: DueRows[]) =>
        new JobDispatchers(new Map(waiting.map(({ queue }, index) => [queue, rows[index] as DueRows])), {
          ...{ config, logger, send },
        }),
    },
  ],
  exports: [JobSender, ...DISPATCHERS, JobDispatchers],
})
export class DispatchModule {}
