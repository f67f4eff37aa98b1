import { EventStream, ExecutionMeter, ModelFactory } from '#libs/executions';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { isTitleOverdue, SessionTitleStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import { ModelsModule } from '../models/models.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { GenerateTitle } from './generate-title.js';

/** Maximum jobs per dispatch. */
const AT_ONCE = 100;
/** Maximum tokens of an answer; above those of a title, for reasoning models. */
const TITLE_TOKENS = 1_000;
/**
 * Extra milliseconds before a title counts as overdue: without an announcement, e.g. after its worker died, its job is
 * sent that much later.
 */
const ANNOUNCED_WITHIN_MS = 5_000;

export const generateTitleJob = defineJob({
  queue: 'generate-title',
  concurrency: 10,
  imports: [ModelsModule],
  inject: [SessionTitleStore, ModelFactory, ExecutionMeter, EventStream, WORKER_CONFIG, LOGGER],
  make: (
    titles: SessionTitleStore,
    models: ModelFactory,
    meter: ExecutionMeter,
    events: EventStream,
    config: AppConfig,
    logger: Logger,
  ) => {
    const generateTitle = new GenerateTitle({
      titles,
      resolve: (llm) => ({ resolved: models.of(llm), parameters: { max_output_tokens: TITLE_TOKENS } }),
      asksModels: config.titles === 'model',
      events,
      logger,
      meter,
    });
    return ({ executionId }) => generateTitle.execute(executionId);
  },
  rows: {
    inject: [SessionTitleStore, DataSource],
    make: (store: SessionTitleStore, dataSource: DataSource) => ({
      take: (announced, redispatchAfterMs) => store.take({ announced, limit: AT_ONCE, redispatchAfterMs }),
      requeue: (due) => store.requeue(due),
      isOverdue: (forMs) => isTitleOverdue(dataSource, { forMs: forMs + ANNOUNCED_WITHIN_MS }),
    }),
  },
});
