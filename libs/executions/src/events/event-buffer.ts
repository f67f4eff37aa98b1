import type { ExecutionEvent } from '#libs/payloads';

/** Characters, about, of the events that wait: memory is not held against a stream that is away. */
const MOST_CHARACTERS = 4_000_000;

/** The events of one execution that wait to be written, pieces of one text as one event. */
export class EventBuffer {
  private events: ExecutionEvent[] = [];
  private waiting = 0;

  /** @param onOverflow called with how many events were dropped, since too much waited */
  constructor(private readonly onOverflow: (count: number) => void) {}

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /** About how many characters wait. */
  get characters(): number {
    return this.waiting;
  }

  /** What waits is dropped rather than grow without end; the newest event stays. */
  add(event: ExecutionEvent): void {
    const characters = sizeOf(event);
    if (this.waiting + characters > MOST_CHARACTERS && this.events.length > 0)
      this.onOverflow(this.take().length);
    this.waiting += characters;
    const last = this.events.at(-1);
    const merged = last && mergeText(last, event);
    if (merged) this.events[this.events.length - 1] = merged;
    else this.events.push(event);
  }

  take(): readonly ExecutionEvent[] {
    const { events } = this;
    this.events = [];
    this.waiting = 0;
    return events;
  }
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
