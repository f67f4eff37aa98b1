export { FileBlobs } from './file-blobs.js';
