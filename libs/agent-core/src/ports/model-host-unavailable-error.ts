import { AppError } from '#libs/kernel';

/**
 * The host of the model does not answer anybody at the moment, so this call was not made, or does not count. The execution
 * is to be taken up again later; it has lost neither a try nor what it knows.
 */
export class ModelHostUnavailableError extends AppError {
  /** @param retryAfterMs milliseconds until somebody may try again */
  constructor(readonly retryAfterMs: number) {
    super({
      code: 'MODEL_HOST_UNAVAILABLE',
      kind: 'unavailable',
      message: 'the host of the model does not answer',
      retryable: true,
    });
  }
}
