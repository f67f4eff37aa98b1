import type { Provider } from '@nestjs/common';
import { openBlobs } from '#libs/blob-store';
import type { AppConfig } from '#libs/config';
import { BlobStore } from '#libs/knowledge';
import { BlobMetrics } from '#libs/observability';
import { WORKER_CONFIG } from './worker.tokens.js';

/** Where files of tenants are kept; null where none are. */
export const blobStoreProvider: Provider = {
  provide: BlobStore,
  inject: [WORKER_CONFIG, BlobMetrics],
  useFactory: ({ blobs }: AppConfig, metrics: BlobMetrics) =>
    blobs && openBlobs(blobs, (operation) => metrics.recordFailure(operation)),
};
