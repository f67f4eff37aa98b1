import type { ExecutionEvent } from '#libs/payloads';

/** Minimum wait of text for more text that shares its write, in milliseconds (architecture: about 25 ms). */
const MIN_MS = 25;
/** Maximum wait of any event, in milliseconds: at most ten writes a second. */
const MAX_MS = 100;
/** Wait of text as a share of the time since the first piece of its round (0–1). */
const SHARE = 1 / 8;

/**
 * Decides how soon an event is written. The first text of a round is written at once, for the time to first token; later
 * text waits for a growing batch, so that a long answer costs few writes. Other events wait up to 100 ms, since each
 * write costs worker, store and followers more than the event itself.
 */
export class EventPace {
  /** Start time of each round's text, by kind and scope; only the newest round is kept. */
  private readonly begun = new Map<string, { readonly round: number; readonly at: number }>();

  /** Milliseconds that an event emitted at `now` (monotonic) may wait for others. */
  delayOf(event: ExecutionEvent, now: number): number {
    if (event.event !== 'text_delta' && event.event !== 'thinking') return MAX_MS;
    const { round, scope = '' } = event.data;
    const key = `${event.event} ${scope}`;
    const begun = this.begun.get(key);
    if (begun?.round !== round) {
      this.begun.set(key, { round, at: now });
      return 0;
    }
    return Math.min(MAX_MS, Math.max(MIN_MS, (now - begun.at) * SHARE));
  }
}
