import { AppError } from '#libs/kernel';
import { fieldFault } from '../http/multipart/form-faults.js';
import type { InvalidRequestError } from '../http/request-errors.js';

export function fileNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'File not found' });
}

export function filesNotConfigured(): AppError {
  return new AppError({
    code: 'FILES_NOT_CONFIGURED',
    kind: 'unprocessable',
    message: 'files cannot be stored: neither DOCUMENTS_ROOT nor S3_BUCKET is set',
  });
}

export function emptyFile(): InvalidRequestError {
  return fieldFault('file', 'must not be empty');
}

export function badExpiry(latest: string): InvalidRequestError {
  return fieldFault('expires_at', `must be later than now, and ${latest} at the latest`);
}

/** Answers 413 for too many bytes, since the upload is at fault; 429 for too many files. */
export function overFileQuota(bound: 'files' | 'bytes'): AppError {
  const what = bound === 'bytes' ? 'bytes of files' : 'files';
  return new AppError({
    code: 'FILE_QUOTA_EXCEEDED',
    kind: bound === 'bytes' ? 'too_large' : 'limit_exceeded',
    message: `the tenant has reached its maximum of ${what}; delete some`,
  });
}
