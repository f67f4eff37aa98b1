import { Injectable } from '@nestjs/common';
import { EmbeddingLimit } from '../embeddings/embedding-limit.js';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { KnowledgeRetriever } from './knowledge-retriever.js';

/** Counts its calls for vectors against the limit of the tenant. */
@Injectable()
export class LimitedRetriever extends KnowledgeRetriever {
  constructor(retrieval: AccountedRetrieval, limit: EmbeddingLimit) {
    super(retrieval, (tenantId) => limit.take(tenantId));
  }
}
