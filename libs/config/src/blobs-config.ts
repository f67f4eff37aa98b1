import type { z } from 'zod';
import type { envSchema } from './env.schema.js';

/** A bucket of a server that speaks the API of S3. */
export interface S3Config {
  readonly kind: 's3';
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** What the names of objects begin with; may be empty. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Is the bucket part of the path, and not of the host? */
  readonly isPathStyle: boolean;
}

/** Where files of tenants are kept: originals of documents, and uploads. */
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

/** Null where no files are kept. Complete by {@link blobFaults}. */
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

/** What is missing of a store that is half set up, and two stores at once: a file is kept in one place. */
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
