import { AppError } from '#libs/kernel';

/** Classification of an error during storage work. */
export type StorageFailure =
  /** Faulty statement or data, or an error outside the store: a retry would fail again. */
  | { readonly kind: 'ours' }
  /** A retry may succeed. `mayHaveCommitted`: the work may have taken effect, so it must be checked before the retry. */
  | { readonly kind: 'outage' | 'contention'; readonly mayHaveCommitted: boolean };

/** Classifies errors of all stores of a process; each kind of store has its own errors. */
export type ClassifyStorageError = (error: unknown) => StorageFailure;

/** True if a retry, here or on another worker, may succeed; false for faults of the code or the data. */
export function isInfrastructureFailure(error: unknown, classify: ClassifyStorageError): boolean {
  if (error instanceof AppError)
    return error.retryable && (error.kind === 'unavailable' || error.kind === 'timeout');
  return classify(error).kind !== 'ours';
}
