/** The kind of an error, from which HTTP statuses and job outcomes are derived exhaustively. */
export type ErrorKind =
  | 'invalid_input'
  | 'unauthenticated'
  | 'denied'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'unprocessable'
  | 'too_large'
  | 'limit_exceeded'
  | 'unavailable'
  | 'timeout'
  | 'internal'
  | 'lease_lost';

export interface AppErrorOptions {
  /** Stable, documented, upper snake case: part of the contract with clients. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** Safe to show to a client: never an exception text, a secret or a path. */
  readonly message: string;
  /** Whether the same attempt may succeed later; default false. */
  readonly retryable?: boolean;
  /** Safe to log and to show, e.g. the name of an invalid field. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The base class of all errors that cross a library's boundary. */
export class AppError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(options: AppErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.kind = options.kind;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
  }
}

/** In place of `Error.isError`, which Node 22 lacks: true for errors of any realm, and for this realm's `DOMException`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
}
