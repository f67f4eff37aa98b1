import { AppError, type AppErrorOptions } from '#libs/kernel';

/** One thing that is wrong with a request: where, and what is allowed there. */
export type FieldError =
  /** A JSON pointer into the body, as a URI fragment: `#/options/temperature` (RFC 6901, RFC 9457). */
  | { readonly pointer: string; readonly detail: string }
  /** The name of a path or query parameter. */
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string };

export interface InvalidRequestOptions {
  readonly code?: string;
  /** `unprocessable` is answered as 422, `too_large` as 413. */
  readonly kind?: 'invalid_input' | 'unprocessable' | 'too_large';
  /** Names the first fault when omitted. */
  readonly message?: string;
}

/** More say nothing more, and a body can have a hundred thousand of them. */
export const MAX_FIELD_ERRORS = 20;

/** A request that cannot be understood, with the first {@link MAX_FIELD_ERRORS} faults; answered as its kind says. */
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

/** `<field>: <detail>`; a detail that already begins with the field's name stays as it is (S3-28). */
function describeFieldError(error: FieldError): string {
  if ('pointer' in error && error.pointer === '#') return `the body ${error.detail}`;
  const name = nameOf(error);
  return error.detail.startsWith(`${name} `) ? error.detail : `${name}: ${error.detail}`;
}

function nameOf(error: FieldError): string {
  if ('parameter' in error) return error.parameter;
  return 'header' in error ? error.header : error.pointer.slice(2).replaceAll('/', '.');
}

/** A place in the body as RFC 9457 names it: `#/config/budget/cost` (RFC 6901: `~` and `/` inside a name are escaped). */
export function pointerTo(path: readonly PropertyKey[]): string {
  return ['#', ...path.map(escapePointer)].join('/');
}

function escapePointer(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A refusal that will not last; its answer carries `Retry-After`. */
export class RetryLaterError extends AppError {
  constructor(
    options: AppErrorOptions,
    /** From 1. */
    readonly retryAfterSeconds: number,
  ) {
    super({ ...options, retryable: true });
  }
}

/** The failure of an execution that a client has waited for; its answer names the execution. */
export class ExecutionFailedError extends AppError {
  constructor(
    readonly executionId: string,
    options: AppErrorOptions,
  ) {
    super(options);
  }
}

/** A request that is nobody's; its answer says how to say whose it is. */
export class UnauthenticatedError extends AppError {
  constructor(
    message: string,
    /** As `WWW-Authenticate` has it. */
    readonly challenge: string,
  ) {
    super({ code: 'UNAUTHENTICATED', kind: 'unauthenticated', message });
  }
}
