import type { BlobsConfig } from '#libs/config';
import { pause, systemTimers } from '#libs/kernel';
import type { BlobStore } from '#libs/knowledge';
import { FileBlobs, type KnownBlobs } from './files/file-blobs.js';
import { ReportingBlobs, type OnBlobFailure } from './reporting-blobs.js';
import { S3Blobs } from './s3/s3-blobs.js';

/** The store that the operator has chosen. What fails of it is a `BlobStoreUnavailableError`; `onFailure` hears of it. */
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
