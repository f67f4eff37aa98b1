import type { Provider } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Retriever } from '#libs/executions';
import { ExactChunkIndex, LlmStore, QuestionAccounts } from '#libs/persistence';
import { parseKeyring, SecretBox } from '#libs/secrets';
import { DataSource } from 'typeorm';
import { EmbeddingLimit } from '../ingest/embedding-limit.js';
import { EmbeddingServices } from '../ingest/embedding-services.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { KnowledgeRetriever } from './knowledge-retriever.js';

/** Vectors that a process keeps for the next question. */
const CACHE_BYTES = 268_435_456;

/** Looking through documents, for the runs of this process. */
export const retrieveProvider: Provider = {
  provide: Retriever,
  inject: [DataSource, EmbeddingLimit, WORKER_CONFIG],
  useFactory: (dataSource: DataSource, limit: EmbeddingLimit, config: AppConfig): Retriever => {
    const secrets = config.encryptionKey === null ? null : new SecretBox(parseKeyring(config.encryptionKey));
    const services = new EmbeddingServices(new LlmStore(dataSource), config.models, secrets);
    return new KnowledgeRetriever({
      index: new ExactChunkIndex(dataSource, { cacheBytes: CACHE_BYTES }),
      serviceOf: (tenantId, space) => services.of(tenantId, space),
      countCall: (tenantId) => limit.take(tenantId),
      accountsOf: (asking) => new QuestionAccounts(dataSource, asking),
    });
  },
};
