import type { Provider } from '@nestjs/common';
import { EventStream, type AttemptDependencies } from '#libs/executions';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { isTitleOverdue, SessionTitleStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { ATTEMPT_DEPENDENCIES, LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { TitleProgress } from './generate-title.processor.js';
import { GenerateTitle } from './generate-title.js';

/** Titles that one worker process asks for at once. */
export const TITLE_CONCURRENCY = 10;
/** Tokens of an answer: more than a title has, for models that reason first. */
const TITLE_TOKENS = 1_000;

export const titleProviders: Provider[] = [
  {
    provide: TitleProgress,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, config: AppConfig) =>
      new TitleProgress(
        () => isTitleOverdue(dataSource, { forMs: overdueAfter(config) + ANNOUNCED_WITHIN_MS }),
        TITLE_CONCURRENCY,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: GenerateTitle,
    inject: [DataSource, ATTEMPT_DEPENDENCIES, EventStream, WORKER_CONFIG, LOGGER],
    useFactory: (
      dataSource: DataSource,
      { models, meter }: AttemptDependencies,
      events: EventStream,
      config: AppConfig,
      logger: Logger,
    ) =>
      new GenerateTitle({
        titles: new SessionTitleStore(dataSource),
        resolve: (llm) => ({
          resolved: models.of(llm),
          parameters: { max_output_tokens: TITLE_TOKENS },
        }),
        asksModels: config.titles === 'model',
        events,
        logger,
        meter,
      }),
  },
];

/** A title whose worker died right after settling is sent that much later. */
const ANNOUNCED_WITHIN_MS = 5_000;
