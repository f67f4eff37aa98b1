import { Module } from '@nestjs/common';
import { openBlobs } from '#libs/blob-store';
import type { AppConfig } from '#libs/config';
import { BlobMetrics } from '#libs/observability';
import { DocumentChangesStore, findKnownBlobs } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { API_CONFIG } from '../api.tokens.js';
import { BlobKeeper } from './blob-keeper.js';
import { UploadRoom } from './upload-room.js';

/** Provides the `BlobKeeper` of files and documents; null if the operator has configured no storage. */
@Module({
  providers: [
    {
      provide: BlobKeeper,
      inject: [API_CONFIG, DataSource, DocumentChangesStore, BlobMetrics],
      useFactory: (
        { blobs, mostUploadBytes }: AppConfig,
        dataSource: DataSource,
        disposals: DocumentChangesStore,
        metrics: BlobMetrics,
      ) =>
        blobs &&
        new BlobKeeper(
          openBlobs(
            blobs,
            () => findKnownBlobs(dataSource),
            (operation) => metrics.recordFailure(operation),
          ),
          disposals,
          new UploadRoom(mostUploadBytes),
        ),
    },
  ],
  exports: [BlobKeeper],
})
export class UploadsModule {}
