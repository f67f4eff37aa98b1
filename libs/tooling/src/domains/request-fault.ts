import { AppError } from '#libs/kernel';

/** An invalid value in the body: its path and the reason. */
export interface BodyFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** A well-formed request with invalid values; answered as a validation error with a JSON pointer per value. */
export class RequestFaultError extends AppError {
  constructor(
    /** At least one element. */
    readonly faults: readonly BodyFault[],
    /** Kind `unprocessable` is answered as 422; a route that throws it declares 422 in `problems`. */
    { code, kind }: { readonly code: string; readonly kind: 'invalid_input' | 'unprocessable' },
  ) {
    super({ code, kind, message: faults[0]?.detail ?? 'the request is not valid' });
  }
}
