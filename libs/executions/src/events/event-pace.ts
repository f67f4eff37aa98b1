import type { ExecutionEvent } from '#libs/payloads';

/** How long text waits at least for more that travels with it (architecture: about 25 ms). */
const SHORTEST_MS = 25;
/** The longest that any event waits, however long text has been flowing: ten writes a second at most. */
const LONGEST_MS = 100;
/** Text waits for this part of the time since the first piece of its round. */
const SHARE = 1 / 8;

/**
 * How soon an event has to be written: the first text of a round at once, since somebody looks at an empty screen; what
 * follows with more and more of its kind, so that a long answer costs few writes; anything else, such as the beginning of a
 * call, with what comes within the tenth of a second that nobody sees: each write costs the worker, the store and every
 * follower more than the event in it.
 */
export class EventPace {
  /** When the text of a round began, by kind and scope; the newest round only. */
  private readonly begun = new Map<string, { readonly round: number; readonly at: number }>();

  /** For how many milliseconds an event emitted at `now` (monotonic) may wait for others. */
  delayOf(event: ExecutionEvent, now: number): number {
    if (event.event !== 'text_delta' && event.event !== 'thinking') return LONGEST_MS;
    const { round, scope = '' } = event.data;
    const key = `${event.event} ${scope}`;
    const begun = this.begun.get(key);
    if (begun?.round !== round) {
      this.begun.set(key, { round, at: now });
      return 0;
    }
    return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (now - begun.at) * SHARE));
  }
}
