import { z } from 'zod';
import { flag, optional } from './variable-kinds.js';

/** Variables of a bucket for tenants' files, instead of a folder. */
export const s3Variables = {
  S3_BUCKET: optional(
    z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'),
  ).describe('the bucket in which they are kept instead of a folder'),
  S3_ENDPOINT: optional(z.url({ protocol: /^https?$/, error: 'an http(s) URL' })).describe(
    'the server that has S3_BUCKET, such as https://s3.eu-central-1.amazonaws.com',
  ),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'the name of a region')
    .default('us-east-1')
    .describe('the region of S3_BUCKET; most servers but that of AWS take any'),
  S3_ACCESS_KEY_ID: optional(z.string().min(1)).describe('who asks the server of S3_BUCKET'),
  S3_SECRET_ACCESS_KEY: optional(z.string().min(1)).describe('the secret of S3_ACCESS_KEY_ID'),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.-]*(\/[\w.-]+)*$/, 'letters, digits, and _ . - with / between')
    .default('')
    .describe('what the names of all objects begin with, for a bucket that holds other things too'),
  S3_PATH_STYLE: flag
    .default(false)
    .describe('true: the bucket is part of the path and not of the host, as for MinIO and its like'),
};
