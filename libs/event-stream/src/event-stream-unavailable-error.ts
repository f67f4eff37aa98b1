import { AppError } from '#libs/kernel';

/**
 * The store timed out or rejected the call. The outcome of an append is unknown: its events may be stored or still
 * arrive, so call `lastId` before reusing the same numbers.
 */
export class EventStreamUnavailableError extends AppError {
  constructor(cause: unknown) {
    super({
      code: 'EVENT_STREAM_UNAVAILABLE',
      kind: 'unavailable',
      message: 'the event stream is not reachable at the moment',
      retryable: true,
      cause,
    });
  }
}
