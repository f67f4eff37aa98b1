import { AppError, type AppErrorOptions } from '#libs/kernel';

/** One fault of a request: its place, and the allowed values. */
export type FieldError =
  /** JSON pointer into the body, as a URI fragment: `#/options/temperature` (RFC 6901, RFC 9457). */
  | { readonly pointer: string; readonly detail: string }
  /** Name of a path or query parameter. */
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string };

export interface InvalidRequestOptions {
  readonly code?: string;
  /** `unprocessable` is answered as 422, `too_large` as 413. */
  readonly kind?: 'invalid_input' | 'unprocessable' | 'too_large';
  /** Names the first fault when omitted. */
  readonly message?: string;
}

/** Maximum faults in an answer, since a body can have a hundred thousand. */
export const MAX_FIELD_ERRORS = 20;

/** An invalid request with its first {@link MAX_FIELD_ERRORS} faults; `kind` decides the status. */
export class InvalidRequestError extends AppError {
  readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[], options: InvalidRequestOptions = {}) {
    super({
      code: options.code ?? 'VALIDATION_ERROR',
      kind: options.kind ?? 'invalid_input',
      message: options.message ?? errors.map(describeFieldError)[0] ?? 'the request is not valid',
    });
    this.errors = errors.slice(0, MAX_FIELD_ERRORS);
  }
}

/** `<field>: <detail>`; a detail that already begins with the field's name is kept as it is (S3-28). */
function describeFieldError(error: FieldError): string {
  if ('pointer' in error && error.pointer === '#') return `the body ${error.detail}`;
  const name = nameOf(error);
  return error.detail.startsWith(`${name} `) ? error.detail : `${name}: ${error.detail}`;
}

function nameOf(error: FieldError): string {
  if ('parameter' in error) return error.parameter;
  return 'header' in error ? error.header : error.pointer.slice(2).replaceAll('/', '.');
}

/** JSON pointer of a path in the body (RFC 9457): `#/config/budget/cost`, with `~` and `/` escaped (RFC 6901). */
export function pointerTo(path: readonly PropertyKey[]): string {
  return ['#', ...path.map(escapePointer)].join('/');
}

function escapePointer(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A temporary refusal; its answer carries `Retry-After`. */
export class RetryLaterError extends AppError {
  constructor(
    options: AppErrorOptions,
    /** Delay in seconds, at least 1. */
    readonly retryAfterSeconds: number,
  ) {
    super({ ...options, retryable: true });
  }
}

/** Failure of an execution that a client waited for; the answer names the execution. */
export class ExecutionFailedError extends AppError {
  constructor(
    readonly executionId: string,
    options: AppErrorOptions,
  ) {
    super(options);
  }
}

/** A request without a valid credential; the answer says how to authenticate. */
export class UnauthenticatedError extends AppError {
  constructor(
    message: string,
    /** Value of `WWW-Authenticate`. */
    readonly challenge: string,
  ) {
    super({ code: 'UNAUTHENTICATED', kind: 'unauthenticated', message });
  }
}
