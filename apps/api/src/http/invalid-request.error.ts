import { AppError } from '#libs/kernel';

/** One thing that is wrong with a request: where, and what is allowed there. */
export type FieldError =
  /** A JSON pointer into the body, as a URI fragment: `#/options/temperature` (RFC 6901, RFC 9457). */
  | { readonly pointer: string; readonly detail: string }
  /** The name of a path or query parameter. */
  | { readonly parameter: string; readonly detail: string }
  | { readonly header: string; readonly detail: string };

export interface InvalidRequestOptions {
  readonly code?: string;
  /** Names the first fault when omitted. */
  readonly message?: string;
}

/** A request that cannot be understood, with every fault found; answered as 400. */
export class InvalidRequestError extends AppError {
  constructor(
    readonly errors: readonly FieldError[],
    options: InvalidRequestOptions = {},
  ) {
    super({
      code: options.code ?? 'VALIDATION_ERROR',
      kind: 'invalid_input',
      message: options.message ?? errors.map(describeFieldError)[0] ?? 'the request is not valid',
    });
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
