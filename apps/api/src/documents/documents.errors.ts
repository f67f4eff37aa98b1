import { REFUSED_ADDRESS_TEXT } from '#libs/guarded-fetch';
import { AppError } from '#libs/kernel';
import type { OverQuota } from '#libs/knowledge';
import { InvalidRequestError } from '../http/request-errors.js';

export function documentNotFound(): AppError {
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message: 'Document not found' });
}

export function notAnEventOfDocument(): InvalidRequestError {
  return new InvalidRequestError([
    { header: 'Last-Event-ID', detail: 'must be the id of an event of this document' },
  ]);
}

export function originalNotFound(): AppError {
  const message = 'The original of the document is not stored, or not fetched yet';
  return new AppError({ code: 'NOT_FOUND', kind: 'not_found', message });
}

export function unknownDatasource(): InvalidRequestError {
  return new InvalidRequestError([
    { pointer: '#/datasource_id', detail: 'must be a datasource of the tenant' },
  ]);
}

export function refusedUrl(): InvalidRequestError {
  return new InvalidRequestError([{ pointer: '#/url', detail: REFUSED_ADDRESS_TEXT }]);
}

export function documentsNotConfigured(): AppError {
  return new AppError({
    code: 'DOCUMENTS_NOT_CONFIGURED',
    kind: 'unprocessable',
    message: 'documents cannot be stored: neither DOCUMENTS_ROOT nor S3_BUCKET is set',
  });
}

const WHAT: Readonly<Record<OverQuota, string>> = {
  documents: 'documents',
  bytes: 'bytes of documents',
  chunks: 'chunks',
};

/** Answers 413 for too many bytes, since the upload is at fault; 429 for any other quota. */
export function overQuota(bound: OverQuota): AppError {
  return new AppError({
    code: 'KNOWLEDGE_QUOTA_EXCEEDED',
    kind: bound === 'bytes' ? 'too_large' : 'limit_exceeded',
    message: `the tenant has reached its maximum of ${WHAT[bound]}; delete some`,
  });
}
