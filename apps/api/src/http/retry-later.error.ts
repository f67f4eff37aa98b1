import { AppError, type AppErrorOptions } from '#libs/kernel';

/** A refusal that will not last; its answer carries `Retry-After`. */
export class RetryLaterError extends AppError {
  constructor(
    options: AppErrorOptions,
    /** From 1. */
    readonly retryAfterSeconds: number,
  ) {
    super({ ...options, retryable: true });
  }
}
