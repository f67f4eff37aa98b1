/** How long any request may take to arrive, in milliseconds. */
export const ARRIVAL_MS = 60_000;
/** What a body that may be long has to bring in a second, in the mean, from then on. */
const LEAST_BYTES_A_SECOND = 65_536;

/** How a body has come so far. */
export interface BodyArrival {
  /** How long its client was waited for, in milliseconds. */
  readonly waitedMs: number;
  /** How many bytes have come. */
  readonly bytes: number;
  /** Whether it may take longer the more of it has come. */
  readonly mayBeLong: boolean;
}

/** Pure: how long a body of so many bytes may take to arrive, where it may be long; in milliseconds. */
export function longestArrivalMs(bytes: number): number {
  return ARRIVAL_MS + (bytes / LEAST_BYTES_A_SECOND) * 1_000;
}

/** Pure: whether a body takes longer than it may. What it has brought is what it may take longer by, and nothing else. */
export function isTooSlow({ waitedMs, bytes, mayBeLong }: BodyArrival): boolean {
  return waitedMs >= (mayBeLong ? longestArrivalMs(bytes) : ARRIVAL_MS);
}
