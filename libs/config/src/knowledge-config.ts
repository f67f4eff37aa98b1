import type { z } from 'zod';
import type { BlobsConfig } from './blobs-config.js';
import type { envSchema } from './env.schema.js';

/** Limits of document ingestion. */
export interface KnowledgeConfig {
  /** Store for the original documents. */
  readonly blobs: BlobsConfig;
  readonly mostDocumentBytes: number;
  /** Quota per tenant. */
  readonly quota: { readonly documents: number; readonly bytes: number; readonly chunks: number };
  /** Documents ingested in parallel, per process. */
  readonly concurrency: number;
  /** Limits of the parser for one document. */
  readonly parser: { readonly timeoutMs: number; readonly mostRssBytes: number; readonly mostChars: number };
}

type KnowledgeEnv = Pick<
  z.infer<typeof envSchema>,
  | 'DOCUMENT_MAX_BYTES'
  | 'DOCUMENTS_PER_TENANT'
  | 'DOCUMENT_BYTES_PER_TENANT'
  | 'CHUNKS_PER_TENANT'
  | 'INGEST_CONCURRENCY'
  | 'PARSE_TIMEOUT_SECONDS'
  | 'PARSE_MEMORY_MB'
>;

/** Maximum characters of a document's text, more than any real document has. */
const MAX_CHARS = 50_000_000;

export function toKnowledgeConfig(blobs: BlobsConfig, env: KnowledgeEnv): KnowledgeConfig {
  return {
    blobs,
    mostDocumentBytes: env.DOCUMENT_MAX_BYTES,
    quota: {
      documents: env.DOCUMENTS_PER_TENANT,
      bytes: env.DOCUMENT_BYTES_PER_TENANT,
      chunks: env.CHUNKS_PER_TENANT,
    },
    concurrency: env.INGEST_CONCURRENCY,
    parser: {
      timeoutMs: env.PARSE_TIMEOUT_SECONDS * 1_000,
      mostRssBytes: env.PARSE_MEMORY_MB * 1_048_576,
      mostChars: MAX_CHARS,
    },
  };
}
