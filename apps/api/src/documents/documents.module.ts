import { Module } from '@nestjs/common';
import { systemTimers } from '#libs/kernel';
import { DocumentViewStore } from '#libs/persistence';
import { UploadsModule } from '../uploads/uploads.module.js';
import { DocumentEventsController } from './document-events.controller.js';
import { DocumentsController } from './documents.controller.js';
import { DocumentReads } from './document-reads.js';
import { DocumentsService } from './documents.service.js';
import { GivenDocuments } from './given-documents.js';
import { IngestionDispatcher } from './ingestion-dispatcher.js';
import { OriginalKeeper } from './original-keeper.js';

@Module({
  imports: [UploadsModule],
  controllers: [DocumentsController, DocumentEventsController],
  providers: [
    IngestionDispatcher,
    {
      provide: DocumentReads,
      inject: [DocumentViewStore],
      useFactory: (documents: DocumentViewStore) => new DocumentReads(documents, systemTimers),
    },
    OriginalKeeper,
    GivenDocuments,
    DocumentsService,
  ],
})
export class DocumentsModule {}
