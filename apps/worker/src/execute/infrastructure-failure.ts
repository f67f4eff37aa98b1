import { AppError } from '#libs/kernel';
import { isDatabaseTrouble } from '#libs/persistence';

/** Would the same work have a chance on another worker or a moment later? Anything else is a fault of ours or of the data. */
export function isInfrastructureFailure(error: unknown): boolean {
  if (error instanceof AppError)
    return error.retryable && (error.kind === 'unavailable' || error.kind === 'timeout');
  return isDatabaseTrouble(error);
}
