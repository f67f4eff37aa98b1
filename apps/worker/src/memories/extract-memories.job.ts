import { randomUUID } from 'node:crypto';
import { ExecutionMeter, ExtractMemories, ModelFactory } from '#libs/executions';
import type { Logger } from '#libs/observability';
import { isExtractionOverdue, PostgresExtractions } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import { ModelsModule } from '../models/models.module.js';
import { LOGGER } from '../worker.tokens.js';

/** Maximum jobs queued or running, in total and per tenant. */
const WAITING = { queueTarget: 100, tenantTarget: 20 };

export const extractMemoriesJob = defineJob({
  queue: 'extract-memories',
  concurrency: 5,
  // The end of one extraction makes the executor's next one due.
  isFollowed: true,
  imports: [ModelsModule],
  inject: [PostgresExtractions, ModelFactory, ExecutionMeter, LOGGER],
  make: (extractions: PostgresExtractions, models: ModelFactory, meter: ExecutionMeter, logger: Logger) => {
    const extractMemories = new ExtractMemories({
      extractions,
      modelOf: (llm) => models.of(llm),
      newToken: randomUUID,
      abortAfter: (ms) => AbortSignal.timeout(ms),
      logger,
      meter,
    });
    return ({ executionId }) => extractMemories.execute(executionId);
  },
  rows: {
    inject: [PostgresExtractions, DataSource],
    make: (store: PostgresExtractions, dataSource: DataSource) => ({
      take: (_announced, redispatchAfterMs) => store.take({ ...WAITING, redispatchAfterMs }),
      requeue: (due) => store.requeue(due),
      isOverdue: (forMs) => isExtractionOverdue(dataSource, { forMs }),
    }),
  },
});
