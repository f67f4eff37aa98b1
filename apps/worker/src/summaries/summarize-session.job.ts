import { randomUUID } from 'node:crypto';
import { SummarizeSession, type AttemptDependencies } from '#libs/executions';
import type { Logger } from '#libs/observability';
import { isSummaryOverdue, SessionSummaryStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import { ATTEMPT_DEPENDENCIES, LOGGER } from '../worker.tokens.js';

/** Jobs that one dispatch sends at most. */
const AT_ONCE = 100;

export const summarizeSessionJob = defineJob({
  queue: 'summarize-session',
  concurrency: 5,
  inject: [DataSource, ATTEMPT_DEPENDENCIES, LOGGER],
  make: (dataSource: DataSource, { models, meter, messageData }: AttemptDependencies, logger: Logger) => {
    const summarize = new SummarizeSession({
      summaries: new SessionSummaryStore(dataSource),
      ...{ models, meter, messageData, logger },
      newToken: randomUUID,
      signalAfter: (ms) => AbortSignal.timeout(ms),
    });
    return ({ sessionId }) => summarize.execute(sessionId);
  },
  rows: (dataSource) => {
    const store = new SessionSummaryStore(dataSource);
    return {
      take: (_announced, redispatchAfterMs) => store.take({ limit: AT_ONCE, redispatchAfterMs }),
      requeue: (due) => store.requeue(due),
      isOverdue: (forMs) => isSummaryOverdue(dataSource, { forMs }),
    };
  },
});
