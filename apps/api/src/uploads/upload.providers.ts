import type { Provider } from '@nestjs/common';
import { openBlobs } from '#libs/blob-store';
import type { AppConfig } from '#libs/config';
import { BlobMetrics } from '#libs/observability';
import { DocumentChangesStore } from '#libs/persistence';
import { API_CONFIG } from '../api.tokens.js';
import { BlobKeeper } from './blob-keeper.js';
import { UploadRoom } from './upload-room.js';

/** Where whatever tenants send is kept; null where the operator has set up no place. */
export const blobKeeperProvider: Provider = {
  provide: BlobKeeper,
  inject: [API_CONFIG, DocumentChangesStore, BlobMetrics],
  useFactory: (
    { blobs, mostUploadBytes }: AppConfig,
    disposals: DocumentChangesStore,
    metrics: BlobMetrics,
  ) =>
    blobs &&
    new BlobKeeper(
      openBlobs(blobs, (operation) => metrics.recordFailure(operation)),
      disposals,
      new UploadRoom(mostUploadBytes),
    ),
};
