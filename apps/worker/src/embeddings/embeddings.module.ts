import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { EmbeddingLimit } from './embedding-limit.js';
import { EmbeddingServices } from './embedding-services.js';

/** Embedding services and the limit of their calls. */
@Module({
  imports: [ModelsModule],
  providers: [EmbeddingLimit, EmbeddingServices],
  exports: [EmbeddingLimit, EmbeddingServices],
})
export class EmbeddingsModule {}
