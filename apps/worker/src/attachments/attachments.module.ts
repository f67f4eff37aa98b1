import { Module } from '@nestjs/common';
import { openBlobs } from '#libs/blob-store';
import type { AppConfig } from '#libs/config';
import { ChildProcessParser } from '#libs/document-parsers';
import { AttachmentReader } from '#libs/executions';
import { BlobStore } from '#libs/knowledge';
import { FileStore, findKnownBlobs } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { WORKER_CONFIG } from '../worker.tokens.js';
import { StoredAttachments } from './stored-attachments.js';

/** Provides the reader of attached files; without file storage it refuses all of them. */
@Module({
  providers: [
    {
      provide: AttachmentReader,
      // An isolated attempt opens its own blob store, without failure metrics.
      inject: [DataSource, FileStore, WORKER_CONFIG, { token: BlobStore, optional: true }],
      useFactory: (
        dataSource: DataSource,
        kept: FileStore,
        { files, knowledge }: AppConfig,
        shared?: BlobStore | null,
      ): AttachmentReader => {
        if (files === null || knowledge === null) return new StoredAttachments(null);
        const blobs =
          shared ??
          openBlobs(
            files.blobs,
            () => findKnownBlobs(dataSource),
            () => undefined,
          );
        const parser = new ChildProcessParser(knowledge.parser);
        return new StoredAttachments({ files: kept, blobs, parser });
      },
    },
  ],
  exports: [AttachmentReader],
})
export class AttachmentsModule {}
