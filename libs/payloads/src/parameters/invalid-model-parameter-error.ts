import { AppError } from '#libs/kernel';

/** Invalid parameter of a model call. The message names the field and the fault. */
export class InvalidModelParameterError extends AppError {
  readonly field: string;
  /** Allowed values, if they can be listed. */
  readonly allowed: readonly string[] | undefined;

  constructor(field: string, message: string, allowed?: readonly string[]) {
    super({
      code: 'INVALID_MODEL_PARAMETER',
      kind: 'invalid_input',
      message,
      details: allowed === undefined ? { field } : { field, allowed },
    });
    this.field = field;
    this.allowed = allowed;
  }
}
