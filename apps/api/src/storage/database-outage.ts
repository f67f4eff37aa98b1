import pg from 'pg';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

/** SQLSTATE classes: connection, too many connections or no memory, the server shuts down or starts. */
const OUTAGE_STATES = /^(08|53|57P)/;
const OUTAGE_CODES = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
]);
/** pg and its pool throw these as plain errors; there is nothing but the text to know them by. */
const OUTAGE_TEXTS =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after)/;

/** Whether an error means that PostgreSQL is not reachable at the moment, rather than that a statement is wrong. */
export function isDatabaseOutage(error: unknown): boolean {
  if (error instanceof QueryFailedError) return isDatabaseOutage(error.driverError);
  if (error instanceof pg.DatabaseError) return OUTAGE_STATES.test(error.code ?? '');
  // A connection that breaks between two statements of a transaction is taken away from it.
  if (error instanceof QueryRunnerProviderAlreadyReleasedError) return true;
  if (error instanceof QueryRunnerAlreadyReleasedError) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseOutage);
  if (!Error.isError(error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return OUTAGE_CODES.has(code) || OUTAGE_TEXTS.test(error.message);
}
