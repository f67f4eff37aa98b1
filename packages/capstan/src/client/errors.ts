import type { Execution, Problem } from './types.js';

/** Codes of errors, as docs/reference/errors.md lists them. */
export type ErrorCode = Problem['code'];

/** One fault of a request: its place in the body, the query or the headers, and the rule that it breaks. */
export type FieldError = NonNullable<Problem['errors']>[number];

/** Anything that this client throws. */
export class CapstanError extends Error {
  override readonly name: string = 'CapstanError';
}

/** No answer came: the server cannot be reached, or the connection broke in every try. */
export class ConnectionError extends CapstanError {
  override readonly name: string = 'ConnectionError';
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** An answer that is no success. */
export class ApiError extends CapstanError {
  override readonly name: string = 'ApiError';
  /** Null where the answer says none, as those of a proxy. */
  readonly code: ErrorCode | null;
  readonly title: string;
  /** Faults of the request, by field. */
  readonly errors: readonly FieldError[];
  /** Id of the request in the server’s log. */
  readonly requestId: string | null;
  /** Pause that the server asks for, in ms; null where it asks for none. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly status: number,
    readonly problem: Problem | null,
    readonly headers: Headers,
    retryAfterMs: number | null,
  ) {
    super(messageOf(status, problem));
    this.code = problem?.code ?? null;
    this.title = problem?.title ?? `HTTP ${status}`;
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.request_id ?? headers.get('x-request-id');
    this.retryAfterMs = retryAfterMs;
  }
}

/** 400, 413, 415 or 422: the request is not valid; `errors` names the fields. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}
/** 401: there is no valid API key. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 403: the API key may not do this. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409 or 412: the state of things does not allow it. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 429: too many requests, or a quota is used up. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** An execution that did not come to its result. */
export class ExecutionError extends CapstanError {
  override readonly name: string = 'ExecutionError';

  constructor(
    message: string,
    readonly execution: Execution,
  ) {
    super(message);
  }
}

export class ExecutionFailedError extends ExecutionError {
  override readonly name = 'ExecutionFailedError';

  constructor(execution: Execution) {
    super(execution.error?.message ?? 'The execution failed.', execution);
  }

  /** Code of the failure, as docs/reference/errors.md lists it. */
  get code(): string {
    return this.execution.error?.code ?? 'INTERNAL_ERROR';
  }
}

export class ExecutionCancelledError extends ExecutionError {
  override readonly name = 'ExecutionCancelledError';

  constructor(execution: Execution) {
    super('The execution was cancelled.', execution);
  }
}

/** The execution ended at a limit; `execution.result` has the answer as far as it came. */
export class ExecutionIncompleteError extends ExecutionError {
  override readonly name = 'ExecutionIncompleteError';

  constructor(execution: Execution) {
    super(`The execution ended at a limit: ${execution.incomplete_details?.reason ?? 'unknown'}.`, execution);
  }

  get reason(): NonNullable<Execution['incomplete_details']>['reason'] | null {
    return this.execution.incomplete_details?.reason ?? null;
  }
}

/** The answer of an execution does not fit the schema that `run` was given; `text` is the answer. */
export class OutputError extends ExecutionError {
  override readonly name = 'OutputError';

  constructor(
    message: string,
    execution: Execution,
    readonly text: string,
  ) {
    super(message, execution);
  }
}

/** A webhook whose signature does not hold, or which is too old. */
export class WebhookError extends CapstanError {
  override readonly name = 'WebhookError';
}

function messageOf(status: number, problem: Problem | null): string {
  if (problem === null) return `The server answered ${status} without saying why.`;
  const faults = (problem.errors ?? []).map((fault) => `${placeOf(fault)}: ${fault.detail}`);
  return [`${problem.detail || problem.title} (${problem.code})`, ...faults].join('\n');
}

/** Place of a fault, as one name. */
export function placeOf(fault: FieldError): string {
  if ('pointer' in fault) return fault.pointer;
  return 'parameter' in fault ? fault.parameter : fault.header;
}
