import { Module } from '@nestjs/common';
import type { AppConfig } from '#libs/config';
import { Retriever } from '#libs/executions';
import { openChunkIndex, QuestionAccounts } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { EmbeddingServices } from '../embeddings/embedding-services.js';
import { EmbeddingsModule } from '../embeddings/embeddings.module.js';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { LimitedRetriever } from './limited-retriever.js';

/** Document search for runs of this process, and for people who test it. */
@Module({
  imports: [EmbeddingsModule],
  providers: [
    {
      provide: AccountedRetrieval,
      inject: [DataSource, EmbeddingServices, WORKER_CONFIG],
      useFactory: async (
        dataSource: DataSource,
        services: EmbeddingServices,
        { embeddings: { cacheBytes } }: AppConfig,
      ) =>
        new AccountedRetrieval({
          index: await openChunkIndex(dataSource, { cacheBytes }),
          serviceOf: (tenantId, space) => services.of(tenantId, space),
          accountsOf: (asking) => new QuestionAccounts(dataSource, asking),
        }),
    },
    { provide: Retriever, useClass: LimitedRetriever },
  ],
  exports: [AccountedRetrieval, Retriever],
})
export class RetrievalModule {}
