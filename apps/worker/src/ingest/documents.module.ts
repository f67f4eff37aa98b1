import { Module } from '@nestjs/common';
import { DocumentFetcher, IngestDocument } from '#libs/knowledge';
import { EmbeddingsModule } from '../embeddings/embeddings.module.js';
import { IngestDocumentProcessor } from './ingest-document.processor.js';
import { IngestProgress } from './ingest-progress.js';
import { IngestConnections, WorkerFetcher, WorkerIngestion } from './worker-ingestion.js';

/** Takes documents in. Imported where there is a place to keep them. */
@Module({
  imports: [EmbeddingsModule],
  providers: [
    IngestConnections,
    { provide: DocumentFetcher, useClass: WorkerFetcher },
    { provide: IngestDocument, useClass: WorkerIngestion },
    IngestProgress,
    IngestDocumentProcessor,
  ],
})
export class DocumentsModule {}
