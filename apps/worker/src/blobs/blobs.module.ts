import { Global, Module } from '@nestjs/common';
import { openBlobs } from '#libs/blob-store';
import type { AppConfig } from '#libs/config';
import { BlobStore } from '#libs/knowledge';
import { BlobMetrics } from '#libs/observability';
import { findKnownBlobs } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { WORKER_CONFIG } from '../worker.tokens.js';

/** Provides the blob store for tenants' files; null when none is configured. */
@Global()
@Module({
  providers: [
    {
      provide: BlobStore,
      inject: [WORKER_CONFIG, DataSource, BlobMetrics],
      useFactory: ({ blobs }: AppConfig, dataSource: DataSource, metrics: BlobMetrics) =>
        blobs &&
        openBlobs(
          blobs,
          () => findKnownBlobs(dataSource),
          (operation) => metrics.recordFailure(operation),
        ),
    },
  ],
  exports: [BlobStore],
})
export class BlobsModule {}
