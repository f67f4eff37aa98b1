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

/** Reads the files that come with requests, where files are kept. */
@Module({
  providers: [
    {
      provide: AttachmentReader,
      // An isolated attempt opens a store of its own, and nothing counts its failures.
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
