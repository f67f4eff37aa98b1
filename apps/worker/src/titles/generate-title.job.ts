import { EventStream, ExecutionMeter, ModelFactory } from '#libs/executions';
import type { AppConfig } from '#libs/config';
import type { Logger } from '#libs/observability';
import { isTitleOverdue, SessionTitleStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { defineJob } from '../jobs/define-job.js';
import { ModelsModule } from '../models/models.module.js';
import { LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { GenerateTitle } from './generate-title.js';

/** Jobs that one dispatch sends at most. */
const AT_ONCE = 100;
/** Tokens of an answer: more than a title has, for models that reason first. */
const TITLE_TOKENS = 1_000;
/** A title whose worker died right after settling is sent that much later. */
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
