import type { FetchFailureReason } from './fetch-failure.js';

/** An answer began and did not end as it should. Safe to show: says nothing about our network or about exceptions. */
export class AnswerBrokenOff extends Error {
  constructor(readonly reason: 'too_long' | FetchFailureReason) {
    super(`the answer broke off: ${reason}`);
    this.name = 'AnswerBrokenOff';
  }
}

/**
 * The bytes of a body, at most `limit` of them; where there are more, or reading them fails, it ends with `AnswerBrokenOff`.
 * Whoever leaves it early closes the connection.
 *
 * @param reasonOf says why reading failed
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
        // Leaving the loop destroys the body and with it the connection.
        throw new AnswerBrokenOff('too_long');
      }
      left -= chunk.byteLength;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AnswerBrokenOff ? error : new AnswerBrokenOff(reasonOf(error));
  }
}
