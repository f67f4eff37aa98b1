/**
 * Numbering of one execution's events: 1 is the acceptance, stored events follow from 2 without gaps, and numbers only
 * rise. Only the holder of the lease writes; a lost stream starts at 2 again.
 */

/** First event of every execution. It is derived from the execution, so it is never stored. */
export const ACCEPTED_EVENT = {
  id: 1,
  event: 'status',
  data: { status: 'queued', attempt: 0 },
} as const;

/** Number of the first stored event. */
export const FIRST_STORED_ID = ACCEPTED_EVENT.id + 1;

/**
 * Number of a `result` event when the client has seen a number at or above the stream's end, because the stream was lost.
 * It is the maximum, so that numbers never decrease and no event follows.
 */
export const FINAL_ID = 2_147_483_647;

/**
 * Number of the next event of a stream.
 * @param lastId highest number in the stream; 0 when it is empty
 */
export function nextEventId(lastId: number): number {
  return Math.max(lastId, ACCEPTED_EVENT.id) + 1;
}
