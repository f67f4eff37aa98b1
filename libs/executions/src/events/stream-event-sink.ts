import { EventSink } from '#libs/agent-core';
import { canonicalJson, OVER, pause, toStorableJson, type MonotonicClock, type Timers } from '#libs/kernel';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';
import { EventStreamConflictError } from '../ports/event-stream-conflict-error.js';
import type { EventStream } from '../ports/event-stream.js';
import { nextEventId } from './event-numbers.js';
import { EventBuffer } from './event-buffer.js';
import { EventPace } from './event-pace.js';

/** So many characters are not held back to be written with more. */
const MANY_CHARACTERS = 16_000;
const TRIES = 3;
/** Before the second try; four times as long before the third. Connections that were cut are replaced meanwhile. */
const PAUSE_MS = 50;
/** How long an attempt waits for its events, once: a stream that needed longer is not waited for until it is well again. */
const FLUSH_PATIENCE_MS = 500;

export interface SinkListener {
  /** Whether nobody has claimed the execution since. */
  isCurrent(): Promise<boolean>;
  /** Events were given up; the journal still has everything they said. */
  onLoss(error: unknown, count: number): void;
}

/**
 * Numbers one execution's events and appends them in order, in the background. The attempt never depends on it: a stream
 * that is away, slow or written by somebody else costs events, and no more than a moment. Who may write the execution is
 * decided by the fence of its journal alone.
 */
export class StreamEventSink extends EventSink {
  private readonly buffer = new EventBuffer((count) => {
    this.listener.onLoss(new Error('more events wait than are kept'), count);
  });
  private readonly pace = new EventPace();
  /** When the events that wait are written, if nothing asks for it before. */
  private due: { readonly at: number; readonly cancel: () => void } | null = null;
  private writing: Promise<void> | null = null;
  /** Whether what waits is written as soon as the write that is under way is done. */
  private isWanted = false;
  private isOverdue = false;
  private isClosed = false;

  /** @param nextId of the first event; null where the stream has to be asked what it holds */
  constructor(
    private readonly stream: EventStream,
    private readonly executionId: string,
    private nextId: number | null,
    private readonly listener: SinkListener,
    private readonly time: { readonly clock: MonotonicClock; readonly timers: Timers },
    private readonly patienceMs = FLUSH_PATIENCE_MS,
  ) {
    super();
  }

  override emit(event: ExecutionEvent): void {
    if (this.isClosed) return;
    this.buffer.add(event);
    const now = this.time.clock.monotonic();
    const delayMs = this.pace.delayOf(event, now);
    if (delayMs === 0 || this.buffer.characters >= MANY_CHARACTERS) void this.write();
    else this.writeBy(now, delayMs);
  }

  override async flush(): Promise<void> {
    const writing = this.write();
    if (this.isOverdue) return;
    const written = new AbortController();
    const overdue = pause(this.time.timers, this.patienceMs, written.signal).then(() => 'overdue');
    this.isOverdue = (await Promise.race([writing, overdue])) === 'overdue';
    written.abort(OVER);
  }

  private writeBy(now: number, delayMs: number): void {
    const at = now + delayMs;
    if (this.due !== null && this.due.at <= at) return;
    this.due?.cancel();
    this.due = { at, cancel: this.time.timers.after(delayMs, () => void this.write()) };
  }

  /** Resolves when everything emitted until then is in the stream, or given up. */
  private write(): Promise<void> {
    this.due?.cancel();
    this.due = null;
    if (this.writing === null && this.buffer.isEmpty) return Promise.resolve();
    this.isWanted = true;
    this.writing ??= this.writeWanted();
    return this.writing;
  }

  /** What is emitted during a write waits for its time, or each write would be followed by one of a few characters. */
  private async writeWanted(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      const events = this.buffer.take();
      if (events.length > 0 && (await this.writeBatch(events))) this.isOverdue = false;
    }
    this.writing = null;
  }

  /** Answers whether they are in the stream. */
  private async writeBatch(events: readonly ExecutionEvent[]): Promise<boolean> {
    let mayHaveLanded = false;
    for (let tries = 1; !this.isClosed; tries += 1) {
      try {
        if (mayHaveLanded && (await this.haveLanded(events))) return true;
        this.nextId ??= await this.findPlace();
        if (this.nextId === null) break;
        await this.stream.append(this.executionId, this.nextId, events);
        this.nextId += events.length;
        return true;
      } catch (error) {
        const isTaken = error instanceof EventStreamConflictError;
        if (isTaken && !mayHaveLanded) this.nextId = null;
        mayHaveLanded = this.nextId !== null;
        if (tries === TRIES) {
          this.giveUp(error, events);
          break;
        }
        if (!isTaken) await pause(this.time.timers, tries * tries * PAUSE_MS);
      }
    }
    return false;
  }

  /** An append of these that is still on its way may land: the next ones ask where they begin. */
  private giveUp(error: unknown, events: readonly ExecutionEvent[]): void {
    this.nextId = null;
    this.buffer.noteDropped(events);
    this.listener.onLoss(error, events.length);
  }

  /**
   * The number after the last event, null where we are overtaken: then we are silent, and the journal's fence says the rest.
   * It is read before that is asked, so that whoever claims the execution after the answer either finds what we append
   * there, or takes its number.
   */
  private async findPlace(): Promise<number | null> {
    const place = nextEventId(await this.stream.lastId(this.executionId));
    if (await this.listener.isCurrent()) return place;
    this.close();
    return null;
  }

  /**
   * After an append whose answer was lost, the stream itself says whether it took place. What is there instead is of
   * somebody whom we have overtaken, or who has overtaken us: the place has to be asked for.
   */
  private async haveLanded(events: readonly ExecutionEvent[]): Promise<boolean> {
    const firstId = this.nextId ?? 0;
    const there = await this.stream.readAfter(this.executionId, firstId - 1, events.length);
    if (there.length === 0) return false;
    const areOurs = events.every((event, index) => isStoredAs(event, firstId + index, there[index]));
    this.nextId = areOurs ? firstId + events.length : null;
    return areOurs;
  }

  private close(): void {
    this.isClosed = true;
    this.buffer.take();
  }
}

function isStoredAs(event: ExecutionEvent, id: number, stored: NumberedEvent | undefined): boolean {
  if (stored?.id !== id || stored.event !== event.event) return false;
  return canonicalJson(toStorableJson(stored.data)) === canonicalJson(toStorableJson(event.data));
}
