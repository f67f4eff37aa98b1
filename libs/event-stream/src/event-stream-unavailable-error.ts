import { AppError } from '#libs/kernel';

/**
 * The store behind the stream did not answer in time or refused. For an append the outcome is unknown: the events may
 * be there or may still arrive, so ask `lastId` before the same numbers are used again.
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
