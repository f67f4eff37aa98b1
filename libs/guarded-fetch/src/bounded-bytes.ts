import type { FetchFailureReason } from './fetch-failure.js';

/** A response began and did not complete. Safe to show: reveals neither the internal network nor exceptions. */
export class AnswerBrokenOff extends Error {
  constructor(readonly reason: 'too_long' | FetchFailureReason) {
    super(`the answer broke off: ${reason}`);
    this.name = 'AnswerBrokenOff';
  }
}

/**
 * Yields at most `limit` bytes of a body; if there are more, or reading fails, it throws `AnswerBrokenOff`. Leaving the
 * loop early closes the connection.
 *
 * @param reasonOf maps a read error to its reason
 */
export async function* boundedBytes(
  incoming: AsyncIterable<Uint8Array>,
  limit: number,
  reasonOf: (error: unknown) => FetchFailureReason,
): AsyncGenerator<Uint8Array> {
  let left = limit;
  try {
    for await (const chunk of incoming) {
      if (chunk.byteLength > left) {
        if (left > 0) yield chunk.subarray(0, left);
        // Leaving the loop destroys the body, and with it the connection.
        throw new AnswerBrokenOff('too_long');
      }
      left -= chunk.byteLength;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AnswerBrokenOff ? error : new AnswerBrokenOff(reasonOf(error));
  }
}
