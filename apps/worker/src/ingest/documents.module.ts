import { Module } from '@nestjs/common';
import { DocumentFetcher, IngestDocument } from '#libs/knowledge';
import { EmbeddingsModule } from '../embeddings/embeddings.module.js';
import { IngestDocumentProcessor } from './ingest-document.processor.js';
import { IngestProgress } from './ingest-progress.js';
import { IngestConnections, WorkerFetcher, WorkerIngestion } from './worker-ingestion.js';

/** Ingests documents. Imported only with a configured blob store. */
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
