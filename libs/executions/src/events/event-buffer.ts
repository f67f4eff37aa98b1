import type { ExecutionEvent } from '#libs/payloads';

/**
 * Characters, about, of the events that wait: room for two files of 5 MiB each as base64, and what comes with them.
 * More memory
 * is not held against a stream that is away.
 */
export const MAX_WAITING_CHARACTERS = 16_000_000;

/** The events of one execution that wait to be written, pieces of one text as one event. */
export class EventBuffer {
  private events: ExecutionEvent[] = [];
  private waiting = 0;
  /** Number of dropped events that the stream does not mention yet. */
  private dropped = 0;

  /** @param onOverflow called with how many events were dropped, since too much waited */
  constructor(private readonly onOverflow: (count: number) => void) {}

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** About how many characters wait. */
  get characters(): number {
    return this.waiting;
  }

  /**
   * Waiting events are dropped where they would exceed the limit; the newest event stays, behind one that says how many
   * are missing.
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

  /** These will not be seen: the next event is preceded by one that says so. */
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

/** One that says that others are missing stands for those. */
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
