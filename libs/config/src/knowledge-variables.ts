import { z } from 'zod';
import { s3Variables } from './s3-variables.js';
import { count, optional } from './variable-kinds.js';

/** Variables for documents and files of tenants: storage, quotas and ingestion. */
export const knowledgeVariables = {
  DOCUMENTS_ROOT: optional(z.string().startsWith('/', 'an absolute path')).describe(
    'the folder, shared by all processes, in which originals of documents and uploads are kept; without it and without S3_BUCKET none are taken in',
  ),
  ...s3Variables,
  DOCUMENT_MAX_BYTES: count(1_024, 1_073_741_824).default(52_428_800).describe('the longest document'),
  UPLOADS_MB: count(1, 1_048_576)
    .default(512)
    .describe(
      'files that may be on their way into one API process at once, half of it from one tenant; with a bucket, TMPDIR needs that room',
    ),
  DOCUMENTS_PER_TENANT: count(1, 1_000_000).default(10_000).describe('documents that one tenant may have'),
  DOCUMENT_BYTES_PER_TENANT: count(1_024, 1_099_511_627_776)
    .default(10_737_418_240)
    .describe('bytes that the originals of one tenant may have together'),
  CHUNKS_PER_TENANT: count(1, 100_000_000)
    .default(1_000_000)
    .describe('chunks that the documents of one tenant may have together'),
  FILE_MAX_BYTES: count(1_024, 1_073_741_824).default(20_971_520).describe('the longest file at /api/files/'),
  FILES_PER_TENANT: count(1, 1_000_000).default(10_000).describe('files that one tenant may have'),
  FILE_BYTES_PER_TENANT: count(1_024, 1_099_511_627_776)
    .default(10_737_418_240)
    .describe('bytes that the files of one tenant may have together'),
  FILE_RETENTION_DAYS: count(1, 3_650).default(30).describe('how long a file is kept at most'),
  ATTACHED_MB: count(1, 1_048_576)
    .default(64)
    .describe(
      'attached files that one process holds at once for the executions that it runs, half of it for one tenant; others wait. It takes about four times as much memory',
    ),
  INGEST_CONCURRENCY: count(1, 100)
    .default(2)
    .describe('documents that one worker process takes in at once; each is read by a process of its own'),
  PARSE_MEMORY_MB: count(128, 65_536).default(1_024).describe('memory that reading one document may take'),
  PARSE_TIMEOUT_SECONDS: count(1, 3_600).default(120).describe('how long reading one document may take'),
  EMBEDDING_CALLS_PER_MINUTE: count(0, 1_000_000)
    .default(600)
    .describe('calls for vectors of the documents of one tenant, over all processes; 0 for no limit'),
  VECTOR_CACHE_MB: count(0, 1_048_576)
    .default(256)
    .describe(
      'vectors that a process which looks through documents keeps in memory, so that they are not read for each question; 0 keeps none',
    ),
};
