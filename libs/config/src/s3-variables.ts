import { z } from 'zod';
import { flag, optional } from './variable-kinds.js';

/** Variables of a bucket for tenants' files, instead of a folder. */
export const s3Variables = {
  S3_BUCKET: optional(
    z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'),
  ).describe('S3 bucket for originals of documents and uploads, instead of DOCUMENTS_ROOT'),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'URL of the S3 server, such as https://s3.eu-central-1.amazonaws.com',
  ),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'the name of a region')
    .default('us-east-1')
    .describe('region of S3_BUCKET; most servers other than AWS accept any'),
  S3_ACCESS_KEY_ID: optional(z.string().min(1)).describe('access key id for S3_BUCKET'),
  S3_SECRET_ACCESS_KEY: optional(z.string().min(1)).describe('secret access key for S3_BUCKET'),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.-]*(\/[\w.-]+)*$/, 'letters, digits, and _ . - with / between')
    .default('')
    .describe('prefix of all object names, for a bucket that is shared with other programs'),
  S3_PATH_STYLE: flag
    .default(false)
    .describe('true: the bucket is part of the path instead of the host name, as MinIO needs it'),
};
