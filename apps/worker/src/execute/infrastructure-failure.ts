import { EventStreamConflictError } from '#libs/agent-core';
import { AppError } from '#libs/kernel';

/**
 * SQLSTATE classes that say something of the database rather than of the statement: connection, resources, intervention,
 * and a transaction that was given up because this process said nothing for too long.
 */
const DATABASE_TROUBLE = /^(08|53|57|58|25P0[34])/;
const NETWORK_TROUBLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** Would the same work have a chance on another worker or a moment later? Anything else is a fault of ours or of the data. */
export function isInfrastructureFailure(error: unknown): boolean {
  if (error instanceof EventStreamConflictError) return true;
  if (error instanceof AppError)
    return error.retryable && (error.kind === 'unavailable' || error.kind === 'timeout');
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (DATABASE_TROUBLE.test(code) || NETWORK_TROUBLE.has(code)) return true;
  return /connection terminated|timeout exceeded when trying to connect/i.test(error.message);
}
