import type { Provider } from '@nestjs/common';
import { openBlobs } from '#libs/blob-store';
import type { AppConfig } from '#libs/config';
import { BlobStore } from '#libs/knowledge';
import { BlobMetrics } from '#libs/observability';
import { findKnownBlobs } from '#libs/persistence';
import { DataSource } from 'typeorm';
import { WORKER_CONFIG } from './worker.tokens.js';

/** Where files of tenants are kept; null where none are. */
export const blobStoreProvider: Provider = {
  provide: BlobStore,
  inject: [WORKER_CONFIG, DataSource, BlobMetrics],
  useFactory: ({ blobs }: AppConfig, dataSource: DataSource, metrics: BlobMetrics) =>
    blobs &&
    openBlobs(
      blobs,
      () => findKnownBlobs(dataSource),
      (operation) => metrics.recordFailure(operation),
    ),
};
