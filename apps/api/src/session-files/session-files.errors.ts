import { AppError } from '#libs/kernel';
import { WORKSPACE_LIMITS, type ExpectedFile } from '#libs/tooling';
import { otherVersion } from '../http/entity-tag.js';
import { tooManyBytes } from '../http/multipart/form-faults.js';
import { InvalidRequestError } from '../http/request-errors.js';

/** The answer where the file is not as `If-Match` or `If-None-Match` asks (RFC 9110, 13.1.1 and 13.1.2). */
export function notAsExpected(expected: ExpectedFile): AppError {
  if (expected !== 'any' && expected !== 'none') return otherVersion();
  const message =
    expected === 'any'
      ? 'there is no file of this path, and If-Match asks for one; leave it out to write a new file'
      : 'there is a file of this path, and If-None-Match asks for none; send its ETag as If-Match to change it';
  return new AppError({ code: 'VERSION_CHANGED', kind: 'precondition_failed', message });
}

export function pathTaken(): InvalidRequestError {
  const detail = 'is a folder of other files, or lies under a file';
  return new InvalidRequestError([{ parameter: 'path', detail }]);
}

export function fileTooLong(): InvalidRequestError {
  return tooManyBytes('file', WORKSPACE_LIMITS.fileBytes);
}

/** @param mostBytes maximum bytes of the files in all sessions of a tenant */
export function tenantIsFull(mostBytes: number): AppError {
  return new AppError({
    code: 'FILE_QUOTA_EXCEEDED',
    kind: 'too_large',
    message: `the tenant has reached its maximum of ${mostBytes} bytes of files in sessions; delete some`,
  });
}

/** Answers 413 for too many bytes, since the upload is at fault; 429 for too many files. */
export function overWorkspaceLimit(bound: 'too_many_files' | 'too_many_bytes'): AppError {
  const { files, totalBytes } = WORKSPACE_LIMITS;
  const isLength = bound === 'too_many_bytes';
  return new AppError({
    code: 'FILE_QUOTA_EXCEEDED',
    kind: isLength ? 'too_large' : 'limit_exceeded',
    message: `the session has reached its maximum of ${isLength ? `${totalBytes} bytes of files` : `${files} files`}; delete some`,
  });
}
