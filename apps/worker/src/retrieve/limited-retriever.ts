import { Injectable } from '@nestjs/common';
import { EmbeddingLimit } from '../embeddings/embedding-limit.js';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { KnowledgeRetriever } from './knowledge-retriever.js';

/** Counts embedding calls of retrievals against the tenant's limit. */
@Injectable()
export class LimitedRetriever extends KnowledgeRetriever {
  constructor(retrieval: AccountedRetrieval, limit: EmbeddingLimit) {
    super(retrieval, (tenantId) => limit.take(tenantId));
  }
}
