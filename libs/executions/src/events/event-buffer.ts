import type { ExecutionEvent } from '#libs/payloads';

/**
 * Approximate maximum of buffered characters: enough for two files of 5 MiB in base64 with their events. Limits the
 * memory held while a stream is unavailable.
 */
export const MAX_WAITING_CHARACTERS = 16_000_000;

/** Buffers events of one execution until they are written; consecutive pieces of one text are merged into one event. */
export class EventBuffer {
  private events: ExecutionEvent[] = [];
  private waiting = 0;
  /** Number of dropped events that the stream does not mention yet. */
  private dropped = 0;

  /** @param onOverflow called with the number of events dropped because the buffer was full */
  constructor(private readonly onOverflow: (count: number) => void) {}

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** Approximate number of buffered characters. */
  get characters(): number {
    return this.waiting;
  }

  /**
   * Adds an event. At the limit the waiting events are dropped; the new one follows an `events_dropped` event with their
   * number.
   */
  add(event: ExecutionEvent): void {
    const characters = sizeOf(event);
    if (this.waiting + characters > MAX_WAITING_CHARACTERS && this.events.length > 0) this.overflow();
    this.waiting += characters;
    const last = this.events.at(-1);
    const merged = last && mergeText(last, event);
    if (merged) this.events[this.events.length - 1] = merged;
    else this.events.push(event);
  }

  /** Counts lost events, so that an `events_dropped` event precedes the next one. */
  noteDropped(events: readonly ExecutionEvent[]): void {
    this.dropped += countOf(events);
  }

  take(): readonly ExecutionEvent[] {
    const { events, dropped } = this;
    this.events = [];
    this.waiting = 0;
    if (events.length === 0 || dropped === 0) return events;
    this.dropped = 0;
    return [{ event: 'events_dropped', data: { count: dropped } }, ...events];
  }

  private overflow(): void {
    const { events } = this;
    this.events = [];
    this.waiting = 0;
    this.noteDropped(events);
    this.onOverflow(events.length);
  }
}

/** An `events_dropped` event counts as the events that it stands for. */
function countOf(events: readonly ExecutionEvent[]): number {
  return events.reduce((sum, { event, data }) => sum + (event === 'events_dropped' ? data.count : 1), 0);
}

function sizeOf(event: ExecutionEvent): number {
  return isText(event) ? event.data.content.length : JSON.stringify(event.data).length;
}

type TextEvent = Extract<ExecutionEvent, { event: 'text_delta' | 'thinking' }>;

function isText(event: ExecutionEvent): event is TextEvent {
  return event.event === 'text_delta' || event.event === 'thinking';
}

function mergeText(last: ExecutionEvent, next: ExecutionEvent): ExecutionEvent | null {
  if (!isText(last) || !isText(next) || last.event !== next.event) return null;
  if (last.data.round !== next.data.round || last.data.scope !== next.data.scope) return null;
  return { event: next.event, data: { ...next.data, content: last.data.content + next.data.content } };
}

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
