import { AppError } from '#libs/kernel';

/**
 * The model host is unavailable, so this call was not made or does not count. The execution is requeued; it has lost
 * neither a try nor its facts.
 */
export class ModelHostUnavailableError extends AppError {
  /** @param retryAfterMs milliseconds until the next try is allowed */
  constructor(readonly retryAfterMs: number) {
    super({
      code: 'MODEL_HOST_UNAVAILABLE',
      kind: 'unavailable',
      message: 'the host of the model does not answer',
      retryable: true,
    });
  }
}
