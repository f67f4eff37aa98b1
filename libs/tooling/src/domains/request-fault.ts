import { AppError } from '#libs/kernel';

/** A value of the body that is not allowed: where it stands, and what is. */
export interface BodyFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** A request whose body has the right shape and values that cannot be; answered like every other, with a pointer to each. */
export class RequestFaultError extends AppError {
  constructor(
    /** At least one. */
    readonly faults: readonly BodyFault[],
    /** `unprocessable` is answered as 422; a route that throws it says so in `problems`. */
    { code, kind }: { readonly code: string; readonly kind: 'invalid_input' | 'unprocessable' },
  ) {
    super({ code, kind, message: faults[0]?.detail ?? 'the request is not valid' });
  }
}
