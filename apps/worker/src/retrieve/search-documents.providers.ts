import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { systemClock } from '#libs/kernel';
import { DocumentSearchStore } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { patienceOf } from '../health/progress-watch.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { SearchDocuments } from './search-documents.js';
import { SearchProgress } from './search-documents.processor.js';

/** Searches that one worker process tries at once. */
export const SEARCH_CONCURRENCY = 4;

export const searchDocumentsProviders: Provider[] = [
  {
    provide: SearchProgress,
    inject: [WORKER_CONFIG],
    // No row says that one is due: whoever waits for it asks again.
    useFactory: (config: AppConfig) =>
      new SearchProgress(() => Promise.resolve(false), SEARCH_CONCURRENCY, patienceOf(config), systemClock),
  },
  {
    provide: SearchDocuments,
    inject: [DataSource, AccountedRetrieval],
    useFactory: (dataSource: DataSource, retrieval: AccountedRetrieval) =>
      new SearchDocuments({ searches: new DocumentSearchStore(dataSource), retrieval }),
  },
];
