import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Retriever } from '#libs/executions';
import { LlmStore, openChunkIndex, QuestionAccounts } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { DataSource } from 'typeorm';
import { EmbeddingLimit } from '../ingest/embedding-limit.js';
import { EmbeddingServices } from '../ingest/embedding-services.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { KnowledgeRetriever } from './knowledge-retriever.js';

/** Looking through documents: for the runs of this process, and for people who try it. */
export const retrieveProviders: Provider[] = [
  {
    provide: AccountedRetrieval,
    inject: [DataSource, WORKER_CONFIG],
    useFactory: async (dataSource: DataSource, config: AppConfig): Promise<AccountedRetrieval> => {
      const secrets =
        config.encryptionKey === null ? null : new SecretBox(parseKeyring(config.encryptionKey));
      const services = new EmbeddingServices(new LlmStore(dataSource), config.models, secrets);
      const { cacheBytes } = config.embeddings;
      return new AccountedRetrieval({
        index: await openChunkIndex(dataSource, { cacheBytes }),
        serviceOf: (tenantId, space) => services.of(tenantId, space),
        accountsOf: (asking) => new QuestionAccounts(dataSource, asking),
      });
    },
  },
  {
    provide: Retriever,
    inject: [AccountedRetrieval, EmbeddingLimit],
    useFactory: (retrieval: AccountedRetrieval, limit: EmbeddingLimit): Retriever =>
      new KnowledgeRetriever(retrieval, (tenantId) => limit.take(tenantId)),
  },
];
