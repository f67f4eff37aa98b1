import { AppError } from '#libs/kernel';

/** What an error of a store means for the work that it interrupted. */
export type StorageFailure =
  /** The statement or the data is wrong, or it was no error of the store at all: a repeat would only repeat it. */
  | { readonly kind: 'ours' }
  /**
   * The same work has a chance later. `mayHaveCommitted`: it may have taken effect all the same, so read before it is
   * repeated.
   */
  | { readonly kind: 'outage' | 'contention'; readonly mayHaveCommitted: boolean };

/** How the stores of a process fail; each kind of store knows its own errors. */
export type JudgeStorageError = (error: unknown) => StorageFailure;

/**
 * Would the same work have a chance on another worker or a moment later? Anything else is a fault of ours or of the
 * data.
 */
export function isInfrastructureFailure(error: unknown, judge: JudgeStorageError): boolean {
  if (error instanceof AppError)
    return error.retryable && (error.kind === 'unavailable' || error.kind === 'timeout');
  return judge(error).kind !== 'ours';
}
