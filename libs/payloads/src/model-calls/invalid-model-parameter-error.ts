import { AppError } from '#libs/kernel';

/** A parameter of a model call that cannot be sent. The message names the field and what is wrong with it. */
export class InvalidModelParameterError extends AppError {
  readonly field: string;
  /** The values that may stand there, where they can be listed. */
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
