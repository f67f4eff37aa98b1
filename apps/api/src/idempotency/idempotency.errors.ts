import { AppError } from '#libs/kernel';
import { RetryLaterError } from '../http/request-errors.js';

const RETRY_AFTER_SECONDS = 1;

export function idempotencyKeyReused(): AppError {
  return new AppError({
    code: 'IDEMPOTENCY_KEY_REUSED',
    kind: 'unprocessable',
    message: 'this Idempotency-Key was used with another request in the last 24 hours',
  });
}

/** An identical request is still in progress. */
export function keyUnderWay(): RetryLaterError {
  const message = 'the same request with this Idempotency-Key is in progress; repeat it to get its answer';
  return new RetryLaterError(
    { code: 'IDEMPOTENCY_KEY_UNDER_WAY', kind: 'conflict', message },
    RETRY_AFTER_SECONDS,
  );
}

/** The stored answer would contain a secret in the clear. */
export function cannotKeepSecret(): AppError {
  return new AppError({
    code: 'ENCRYPTION_NOT_CONFIGURED',
    kind: 'unprocessable',
    message:
      'The answer contains a secret and cannot be stored, because ENCRYPTION_KEY is not set; send the request without Idempotency-Key',
  });
}
