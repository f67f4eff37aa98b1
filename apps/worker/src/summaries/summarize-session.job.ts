import { randomUUID } from 'node:crypto';
import { ExecutionMeter, ModelFactory, SummarizeSession } from '#libs/executions';
import type { Logger } from '#libs/observability';
import { isSummaryOverdue, SessionSummaryStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { domains } from '../domains.js';
import { defineJob } from '../jobs/define-job.js';
import { ModelsModule } from '../models/models.module.js';
import { LOGGER } from '../worker.tokens.js';

/** Maximum jobs per dispatch. */
const AT_ONCE = 100;

export const summarizeSessionJob = defineJob({
  queue: 'summarize-session',
  concurrency: 5,
  imports: [ModelsModule],
  inject: [SessionSummaryStore, ModelFactory, ExecutionMeter, LOGGER],
  make: (summaries: SessionSummaryStore, models: ModelFactory, meter: ExecutionMeter, logger: Logger) => {
    const summarize = new SummarizeSession({
      ...{ summaries, models, meter, logger },
      messageData: domains.messageData,
      newToken: randomUUID,
      signalAfter: (ms) => AbortSignal.timeout(ms),
    });
    return ({ sessionId }) => summarize.execute(sessionId);
  },
  rows: {
    inject: [SessionSummaryStore, DataSource],
    make: (store: SessionSummaryStore, dataSource: DataSource) => ({
      take: (_announced, redispatchAfterMs) => store.take({ limit: AT_ONCE, redispatchAfterMs }),
      requeue: (due) => store.requeue(due),
      isOverdue: (forMs) => isSummaryOverdue(dataSource, { forMs }),
    }),
  },
});
