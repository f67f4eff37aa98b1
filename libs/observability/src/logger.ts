import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { isError } from '#libs/kernel';

export type { Logger } from 'pino';

const SECRETS = ['authorization', 'cookie', 'apiKey', 'api_key', 'secret', 'password', 'token', 'tokens'];

/**
 * Writes JSON lines to standard output. Values that look like secrets are redacted; prompts and tool arguments are
 * never logged.
 */
function loggerOptions(name: string, level: string): LoggerOptions {
  return {
    name,
    level,
    redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[redacted]' },
    serializers: { err: describeError },
    formatters: { level: (label) => ({ level: label }) },
  };
}

/** @param output destination; default standard output */
export function createLogger(
  name: string,
  level: string,
  output: DestinationStream = destination({ sync: false }),
): Logger {
  return pino(loggerOptions(name, level), output);
}

/**
 * Creates loggers for several parts of a process on one shared output, since separate ones would interleave partial
 * lines.
 */
export function createLoggers<Name extends string>(
  names: readonly Name[],
  level: string,
): Readonly<Record<Name, Logger>> {
  const output = destination({ sync: false });
  const loggers = names.map((name) => [name, pino(loggerOptions(name, level), output)]);
  return Object.fromEntries(loggers) as Record<Name, Logger>;
}

/** Serializes an error without its own properties: a failed statement carries its parameters, i.e. clients' texts. */
export function describeError(error: unknown): object {
  if (!isError(error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, ...code, message: error.message, stack: error.stack, ...cause };
}
