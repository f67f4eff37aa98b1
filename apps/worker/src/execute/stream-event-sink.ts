import { EventSink, EventStreamConflictError, type EventStream } from '#libs/agent-core';
import type { ExecutionEvent } from '#libs/payloads';

/** Text that arrives within this time travels as one event (architecture: about 25 ms). */
const COALESCE_MS = 25;
const TRIES = 3;

export interface SinkListener {
  /** Whether nobody has claimed the execution since. */
  isCurrent(): Promise<boolean>;
  /** Somebody else writes this execution's events. */
  onConflict(): void;
  /** Events were given up; the journal still has everything they told. */
  onLoss(error: unknown, count: number): void;
}

/**
 * Numbers one execution's events and appends them in order, in the background. Keeps no event longer than it takes:
 * when the stream is away, events are dropped rather than held against memory.
 */
export class StreamEventSink extends EventSink {
  private buffer: ExecutionEvent[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;
  private isLastOutcomeUnknown = false;

  constructor(
    private readonly stream: EventStream,
    private readonly executionId: string,
    private nextId: number,
    private readonly listener: SinkListener,
  ) {
    super();
  }

  override emit(event: ExecutionEvent): void {
    if (this.isClosed) return;
    const last = this.buffer.at(-1);
    const merged = last && mergeText(last, event);
    if (merged) this.buffer[this.buffer.length - 1] = merged;
    else this.buffer.push(event);
    this.timer ??= setTimeout(() => void this.flush(), COALESCE_MS);
  }

  override flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing = this.writing.then(() => this.writeBuffer());
    return this.writing;
  }

  private async writeBuffer(): Promise<void> {
    const events = this.buffer;
    this.buffer = [];
    if (events.length === 0 || this.isClosed) return;
    for (let tries = 1; tries <= TRIES; tries += 1) {
      try {
        if (this.isLastOutcomeUnknown && (await this.hasLanded(events.length))) return;
        await this.stream.append(this.executionId, this.nextId, events);
        this.nextId += events.length;
        return;
      } catch (error) {
        if (error instanceof EventStreamConflictError) {
          if (tries < TRIES && (await this.goPastLatecomer())) continue;
          this.close();
          return;
        }
        this.isLastOutcomeUnknown = true;
        if (tries === TRIES) this.listener.onLoss(error, events.length);
      }
    }
  }

  /**
   * Whoever took our number may have been overtaken by us and told its last events late. It cannot do so again: once we
   * have written, the number that it would take is ours. False when it is we who are overtaken.
   */
  private async goPastLatecomer(): Promise<boolean> {
    try {
      if (!(await this.listener.isCurrent())) return false;
      this.nextId = (await this.stream.lastId(this.executionId)) + 1;
      return true;
    } catch {
      return false;
    }
  }

  /** After an append whose answer was lost, the stream itself says whether it took place. */
  private async hasLanded(count: number): Promise<boolean> {
    const expected = this.nextId + count;
    this.nextId = Math.max(this.nextId, (await this.stream.lastId(this.executionId)) + 1);
    this.isLastOutcomeUnknown = false;
    return this.nextId === expected;
  }

  private close(): void {
    this.isClosed = true;
    this.buffer = [];
    this.listener.onConflict();
  }
}

function mergeText(last: ExecutionEvent, next: ExecutionEvent): ExecutionEvent | null {
  if (last.event !== next.event || (next.event !== 'text_delta' && next.event !== 'thinking')) return null;
  if (last.event !== 'text_delta' && last.event !== 'thinking') return null;
  if (last.data.round !== next.data.round) return null;
  return {
    event: next.event,
    data: { content: last.data.content + next.data.content, round: next.data.round },
  };
}
