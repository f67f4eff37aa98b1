import { randomUUID } from 'node:crypto';
import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { ExtractMemories, type AttemptDependencies } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { Logger } from '#libs/observability';
import { isExtractionOverdue, PostgresExtractions } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { overdueAfter, patienceOf } from '../health/progress-watch.js';
import { ATTEMPT_DEPENDENCIES, LOGGER, WORKER_CONFIG } from '../worker.tokens.js';
import { MemoryProgress } from './extract-memories.processor.js';

/** Executions that one worker process learns of at once. */
export const MEMORY_CONCURRENCY = 5;

export const memoryProviders: Provider[] = [
  {
    provide: MemoryProgress,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: (dataSource: DataSource, config: AppConfig) =>
      new MemoryProgress(
        () => isExtractionOverdue(dataSource, { forMs: overdueAfter(config) }),
        MEMORY_CONCURRENCY,
        patienceOf(config),
        systemClock,
      ),
  },
  {
    provide: ExtractMemories,
    inject: [DataSource, ATTEMPT_DEPENDENCIES, LOGGER],
    useFactory: (dataSource: DataSource, { models, meter }: AttemptDependencies, logger: Logger) =>
      new ExtractMemories({
        extractions: new PostgresExtractions(dataSource),
        modelOf: (llm) => models.of(llm),
        newToken: randomUUID,
        abortAfter: (ms) => AbortSignal.timeout(ms),
        logger,
        meter,
      }),
  },
];
