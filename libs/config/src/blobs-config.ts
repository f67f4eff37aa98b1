import type { z } from 'zod';
import type { envSchema } from './env.schema.js';

/** A bucket of an S3-compatible server. */
export interface S3Config {
  readonly kind: 's3';
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Prefix of all object names; may be empty. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Whether the bucket is part of the path instead of the host name. */
  readonly isPathStyle: boolean;
}

/** Store for original documents and uploads. */
export type BlobsConfig = { readonly kind: 'files'; readonly folder: string } | S3Config;

type BlobsEnv = Pick<
  z.infer<typeof envSchema>,
  | 'DOCUMENTS_ROOT'
  | 'S3_BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_REGION'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_PREFIX'
  | 'S3_PATH_STYLE'
>;

/** Null if no store is configured. The result is complete if {@link blobFaults} finds no fault. */
export function toBlobsConfig(env: BlobsEnv): BlobsConfig | null {
  const { S3_BUCKET: bucket, DOCUMENTS_ROOT: folder } = env;
  if (bucket === undefined) return folder === undefined ? null : { kind: 'files', folder };
  return {
    kind: 's3',
    endpoint: env.S3_ENDPOINT ?? '',
    region: env.S3_REGION,
    bucket,
    prefix: env.S3_PREFIX,
    accessKeyId: env.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? '',
    isPathStyle: env.S3_PATH_STYLE,
  };
}

const NEEDED = ['S3_BUCKET', 'S3_ENDPOINT', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** Faults of a partly configured store, or of two configured stores: a file is kept in one place. */
export function blobFaults(env: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = (name: string) => (env[name] ?? '') !== '';
  if (!NEEDED.some(isSet)) return [];
  const missing = NEEDED.filter((name) => !isSet(name));
  return [
    ...missing.map((name) => `${name}: is missing; S3 needs ${NEEDED.join(', ')}`),
    ...(isSet('DOCUMENTS_ROOT')
      ? ['DOCUMENTS_ROOT: files are kept there or in S3_BUCKET; leave one out']
      : []),
  ];
}
