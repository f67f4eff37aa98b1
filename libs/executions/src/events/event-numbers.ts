/**
 * How the events of one execution are numbered: 1 is its acceptance, the stored ones follow from 2 on without a gap,
 * and numbers only rise. Whoever holds the lease is the only writer; a stream that was lost begins at 2 again.
 */

/** The first event of every execution. It follows from the execution itself, so it is never stored. */
export const ACCEPTED_EVENT = {
  id: 1,
  event: 'status',
  data: { status: 'queued', attempt: 0 },
} as const;

/** The number of the first stored event. */
export const FIRST_STORED_ID = ACCEPTED_EVENT.id + 1;

/**
 * The number of a `result` that has no higher one than the client has seen: the stream was lost, and perhaps began anew
 * with lower numbers. The highest there is, so that numbers never go back and nothing comes after it.
 */
export const FINAL_ID = 2_147_483_647;

/** The number of the next event of a stream whose highest number is `lastId`, 0 where it holds none. */
export function nextEventId(lastId: number): number {
  return Math.max(lastId, ACCEPTED_EVENT.id) + 1;
}
