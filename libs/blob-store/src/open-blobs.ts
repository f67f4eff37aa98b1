import type { BlobsConfig } from '#libs/config';
import { pause, systemTimers } from '#libs/kernel';
import type { BlobStore } from '#libs/knowledge';
import { FileBlobs, type KnownBlobs } from './files/file-blobs.js';
import { ReportingBlobs, type OnBlobFailure } from './reporting-blobs.js';
import { S3Blobs } from './s3/s3-blobs.js';

/** Opens the configured store. Its failures are thrown as `BlobStoreUnavailableError` and reported to `onFailure`. */
export function openBlobs(config: BlobsConfig, knownBlobs: KnownBlobs, onFailure: OnBlobFailure): BlobStore {
  return new ReportingBlobs(openPlace(config, knownBlobs), onFailure);
}

function openPlace(config: BlobsConfig, knownBlobs: KnownBlobs): BlobStore {
  switch (config.kind) {
    case 'files':
      return new FileBlobs(config.folder, knownBlobs);
    case 's3':
      return new S3Blobs(config, {
        now: () => new Date(),
        random: Math.random,
        pause: (ms) => pause(systemTimers, ms),
      });
  }
}
