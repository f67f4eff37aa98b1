import type { z } from 'zod';
import type { BlobsConfig } from './blobs-config.js';
import type { envSchema } from './env.schema.js';

/** Storage and limits of uploaded files. */
export interface FilesConfig {
  readonly blobs: BlobsConfig;
  readonly mostFileBytes: number;
  /** Quota per tenant. */
  readonly quota: { readonly files: number; readonly bytes: number };
  /** Maximum retention of a file, in milliseconds. */
  readonly retentionMs: number;
  /** Maximum bytes of attachments that one process holds in memory. */
  readonly mostAttachedBytes: number;
}

type FilesEnv = Pick<
  z.infer<typeof envSchema>,
  'FILE_MAX_BYTES' | 'FILES_PER_TENANT' | 'FILE_BYTES_PER_TENANT' | 'FILE_RETENTION_DAYS' | 'ATTACHED_MB'
>;

const DAY_MS = 86_400_000;
const MEBIBYTE = 1_048_576;

export function toFilesConfig(blobs: BlobsConfig, env: FilesEnv): FilesConfig {
  return {
    blobs,
    mostFileBytes: env.FILE_MAX_BYTES,
    quota: { files: env.FILES_PER_TENANT, bytes: env.FILE_BYTES_PER_TENANT },
    retentionMs: env.FILE_RETENTION_DAYS * DAY_MS,
    mostAttachedBytes: env.ATTACHED_MB * MEBIBYTE,
  };
}
