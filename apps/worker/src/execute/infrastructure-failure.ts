import { EventStreamConflictError } from '#libs/agent-core';
import { AppError } from '#libs/kernel';
import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';

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
/** pg and its pool throw these as plain errors; there is nothing but the text to know them by. */
const DATABASE_TEXTS =
  /connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|query read timeout/i;

/** Would the same work have a chance on another worker or a moment later? Anything else is a fault of ours or of the data. */
export function isInfrastructureFailure(error: unknown): boolean {
  if (error instanceof EventStreamConflictError) return true;
  if (error instanceof AppError)
    return error.retryable && (error.kind === 'unavailable' || error.kind === 'timeout');
  if (!Error.isError(error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (DATABASE_TROUBLE.test(code) || NETWORK_TROUBLE.has(code)) return true;
  return isTakenConnection(error) || DATABASE_TEXTS.test(error.message);
}

/** A connection that breaks between two statements of a transaction is taken away from it. */
function isTakenConnection(error: Error): boolean {
  return (
    error instanceof QueryRunnerProviderAlreadyReleasedError ||
    error instanceof QueryRunnerAlreadyReleasedError
  );
}
