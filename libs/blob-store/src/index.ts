export { FileBlobs } from './files/file-blobs.js';
export { openBlobs } from './open-blobs.js';
export type { BlobOperation, OnBlobFailure } from './reporting-blobs.js';
export { S3Blobs, type S3Dependencies } from './s3/s3-blobs.js';
