import { AppError } from '#libs/kernel';

const NETWORK: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  EACCES: 'the port may not be used by this user',
  ECONNREFUSED: 'DATABASE_URL: nothing listens there',
  ENOTFOUND: 'DATABASE_URL: there is no such host',
  ETIMEDOUT: 'DATABASE_URL: no answer',
  '28P01': 'DATABASE_URL: the password is wrong',
  '28000': 'DATABASE_URL: this user may not connect',
  '3D000': 'DATABASE_URL: there is no such database',
};

/** Why a process could not start, in a line that a person can act on. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof AppError) return `cannot start: ${error.message}`;
  const code = codeOf(error);
  const reason = code === undefined ? undefined : NETWORK[code];
  if (reason === undefined)
    return `cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  const port = error instanceof Error && 'port' in error ? ` (port ${String(error.port)})` : '';
  return `cannot start: ${reason}${port}`;
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof Error && 'code' in error) return String(error.code);
  return undefined;
}
