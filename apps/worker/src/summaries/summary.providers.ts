import { randomUUID } from 'node:crypto';
import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { SummarizeSession, type AttemptDependencies } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { isSummaryOverdue, SessionSummaryStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { ATTEMPT_DEPENDENCIES, LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { SummaryProgress } from './summarize-session.processor.js';

/** Summaries that one worker process asks for at once. */
export const SUMMARY_CONCURRENCY = 5;

export const summaryProviders: Provider[] = [
  {
    provide: SummaryProgress,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, config: AppConfig) =>
      new SummaryProgress(
        () => isSummaryOverdue(dataSource, { forMs: overdueAfter(config) }),
        SUMMARY_CONCURRENCY,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: SummarizeSession,
    inject: [DataSource, ATTEMPT_DEPENDENCIES, LOGGER],
    useFactory: (
      dataSource: DataSource,
      { models, meter, messageData }: AttemptDependencies,
      logger: Logger,
    ) =>
      new SummarizeSession({
        summaries: new SessionSummaryStore(dataSource),
        ...{ models, meter, messageData, logger },
        newToken: randomUUID,
        signalAfter: (ms) => AbortSignal.timeout(ms),
      }),
  },
];
