/** Maximum milliseconds for a request to arrive. */
export const ARRIVAL_MS = 60_000;
/** Minimum average bytes per second of a long body beyond that time. */
const MIN_BYTES_A_SECOND = 65_536;

/** Progress of an arriving body. */
export interface BodyArrival {
  /** Milliseconds that the server waited for the client. */
  readonly waitedMs: number;
  /** Bytes received so far. */
  readonly bytes: number;
  /** Whether each received byte extends the time limit. */
  readonly mayBeLong: boolean;
}

/** The time limit of a long body after so many bytes, in milliseconds. Pure. */
export function longestArrivalMs(bytes: number): number {
  return ARRIVAL_MS + (bytes / MIN_BYTES_A_SECOND) * 1_000;
}

/** Whether a body exceeds its time limit. Only received bytes extend the limit. Pure. */
export function isTooSlow({ waitedMs, bytes, mayBeLong }: BodyArrival): boolean {
  return waitedMs >= (mayBeLong ? longestArrivalMs(bytes) : ARRIVAL_MS);
}
