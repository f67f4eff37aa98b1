import { z } from 'zod';
import { s3Variables } from './s3-variables.js';
import { count, optional } from './variable-kinds.js';

/** Variables for documents and files of tenants: storage, quotas and ingestion. */
export const knowledgeVariables = {
  DOCUMENTS_ROOT: optional(z.string().startsWith('/', 'an absolute path')).describe(
    'folder for originals of documents and uploads, shared by all processes; without it and without S3_BUCKET both are refused',
  ),
  ...s3Variables,
  DOCUMENT_MAX_BYTES: count(1_024, 1_073_741_824)
    .default(52_428_800)
    .describe('maximum size of a document, in bytes'),
  UPLOADS_MB: count(1, 1_048_576)
    .default(512)
    .describe(
      'maximum concurrent uploads per API process, in MB; half of it per tenant. With a bucket, TMPDIR needs as much space',
    ),
  DOCUMENTS_PER_TENANT: count(1, 1_000_000).default(10_000).describe('maximum documents per tenant'),
  DOCUMENT_BYTES_PER_TENANT: count(1_024, 1_099_511_627_776)
    .default(10_737_418_240)
    .describe('maximum bytes of the originals of all documents per tenant'),
  CHUNKS_PER_TENANT: count(1, 100_000_000)
    .default(1_000_000)
    .describe('maximum chunks of all documents per tenant'),
  FILE_MAX_BYTES: count(1_024, 1_073_741_824)
    .default(20_971_520)
    .describe('maximum size of a file at /api/files/, in bytes'),
  FILES_PER_TENANT: count(1, 1_000_000).default(10_000).describe('maximum files per tenant'),
  FILE_BYTES_PER_TENANT: count(1_024, 1_099_511_627_776)
    .default(10_737_418_240)
    .describe('maximum bytes of all files per tenant'),
  WORKSPACE_BYTES_PER_TENANT: count(1_024, 1_099_511_627_776)
    .default(1_073_741_824)
    .describe('maximum bytes of the files in all sessions per tenant'),
  FILE_RETENTION_DAYS: count(1, 3_650).default(30).describe('maximum lifetime of a file, in days'),
  ATTACHED_MB: count(1, 1_048_576)
    .default(64)
    .describe(
      'maximum attached files of all running executions per process, in MB; half of it per tenant, further executions wait. Needs about four times as much memory',
    ),
  INGEST_CONCURRENCY: count(1, 100)
    .default(2)
    .describe('maximum concurrent documents per worker process, each parsed in a child process'),
  PARSE_MEMORY_MB: count(128, 65_536).default(1_024).describe('maximum memory for parsing a document, in MB'),
  PARSE_TIMEOUT_SECONDS: count(1, 3_600)
    .default(120)
    .describe('maximum time for parsing a document, in seconds'),
  EMBEDDING_CALLS_PER_MINUTE: count(0, 1_000_000)
    .default(600)
    .describe(
      'maximum embedding calls for documents per tenant and minute, over all processes; 0: unlimited',
    ),
  VECTOR_CACHE_MB: count(0, 1_048_576)
    .default(256)
    .describe('cache of vectors per process that searches documents, in MB; 0: no cache'),
};
