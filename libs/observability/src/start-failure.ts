import { AppError } from '#libs/kernel';

const TOO_MANY_CLIENTS = '53300';
const TLS_WORDS = '(sslmode, sslrootcert; docs/guides/postgres.md, TLS)';

const UNKNOWN_AUTHORITY = `DATABASE_URL: no authority that this process knows has signed the certificate of the server; name yours by sslrootcert ${TLS_WORDS}`;

const BY_CODE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'HOST is not an address of this machine',
  EACCES: 'the port may not be used by this user',
  ECONNREFUSED: 'DATABASE_URL: nothing listens there',
  ENOTFOUND: 'DATABASE_URL: there is no such host',
  ETIMEDOUT: 'DATABASE_URL: no answer',
  '28P01': 'DATABASE_URL: the password is wrong',
  '28000': 'DATABASE_URL: this user may not connect',
  '3D000': 'DATABASE_URL: there is no such database',
  [TOO_MANY_CLIENTS]:
    'PostgreSQL has no connection left for this process, which takes up to DATABASE_POOL_SIZE + 9 (+ 1 with REDIS_URL): lower DATABASE_POOL_SIZE or the number of processes, or raise max_connections (docs/guides/postgres.md, Connections)',
  DEPTH_ZERO_SELF_SIGNED_CERT: `DATABASE_URL: the certificate of the server is signed by itself; name it by sslrootcert ${TLS_WORDS}`,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'DATABASE_URL: the certificate of the server has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: `DATABASE_URL: the certificate of the server is for another host name than that of the URL ${TLS_WORDS}`,
};

/** Failures without an error code, or with an unspecific one. */
const BY_TEXT: readonly (readonly [RegExp, string])[] = [
  [
    /^unsupported startup parameter/,
    'DATABASE_URL: leads to a connection pooler, which does not keep the settings and locks of a session; set DATABASE_DIRECT_URL to the same database past the pooler (docs/guides/postgres.md, Connection poolers)',
  ],
  [
    /^The server does not support SSL connections/,
    `DATABASE_URL: asks for TLS by sslmode, and the server speaks none ${TLS_WORDS}`,
  ],
  [
    /(?:no encryption|SSL off)$|SSL (?:connection )?is required/,
    `DATABASE_URL: the server takes connections with TLS only; add sslmode=verify-full ${TLS_WORDS}`,
  ],
];

/** One line that explains to a person why a process could not start. */
export function describeStartFailure(error: unknown): string {
  const cause = causeOf(error);
  const reason = reasonOf(cause);
  if (reason !== undefined) return `cannot start: ${reason}${portOf(cause)}`;
  if (error instanceof AppError) return `cannot start: ${error.message}`;
  return `cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/** The cause of an `AppError` if it is more specific. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  return error.code === 'DATABASE_UNAVAILABLE' || codeOf(error.cause) === TOO_MANY_CLIENTS
    ? error.cause
    : error;
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error) || error instanceof AppError) return undefined;
  const byText = BY_TEXT.find(([pattern]) => pattern.test(error.message));
  if (byText !== undefined) return byText[1];
  if (codeOf(error) === 'ENOENT' && 'path' in error)
    return `there is no file ${String(error.path)}; DATABASE_URL may name it by sslrootcert, sslcert or sslkey`;
  return BY_CODE[codeOf(error) ?? ''];
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function portOf(error: unknown): string {
  return error instanceof Error && 'port' in error ? ` (port ${String(error.port)})` : '';
}
