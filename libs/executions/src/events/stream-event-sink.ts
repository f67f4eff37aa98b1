import { EventSink } from '#libs/agent-core';
import { OVER, pause, type MonotonicClock, type Timers } from '#libs/kernel';
import type { ExecutionEvent } from '#libs/payloads';
import { EventStreamConflictError } from '../ports/event-stream-conflict-error.js';
import type { EventStream } from '../ports/event-stream.js';
import { nextEventId } from './event-numbers.js';
import { EventBuffer } from './event-buffer.js';
import { EventPace } from './event-pace.js';

/** So many characters are not held back to be written with more. */
const MANY_CHARACTERS = 16_000;
const TRIES = 3;
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
  private isLastOutcomeUnknown = false;

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

  private async writeBatch(events: readonly ExecutionEvent[]): Promise<boolean> {
    for (let tries = 1; tries <= TRIES && !this.isClosed; tries += 1) {
      try {
        if (this.isLastOutcomeUnknown && (await this.hasLanded(events.length))) return true;
        const firstId = this.nextId ?? (await this.askNextId());
        await this.stream.append(this.executionId, firstId, events);
        this.nextId = firstId + events.length;
        return true;
      } catch (error) {
        if (error instanceof EventStreamConflictError) await this.meetConflict();
        else this.isLastOutcomeUnknown = this.nextId !== null;
        if (tries === TRIES) this.giveUp(error, events.length);
      }
    }
    return false;
  }

  /** An append of these that is still on its way may land: the next ones ask where they begin. */
  private giveUp(error: unknown, count: number): void {
    this.nextId = null;
    this.isLastOutcomeUnknown = false;
    this.listener.onLoss(error, count);
  }

  private async askNextId(): Promise<number> {
    this.nextId = nextEventId(await this.stream.lastId(this.executionId));
    return this.nextId;
  }

  /**
   * Whoever took our number may have been overtaken by us and appended its last events late: we go past it, and it
   * cannot do so again. Or it is we who are overtaken: then we are silent, and the journal's fence says the rest. Where
   * nobody can say which, these events are given up.
   */
  private async meetConflict(): Promise<void> {
    try {
      if (await this.listener.isCurrent()) this.nextId = null;
      else this.close();
    } catch {
      // The next try meets the same conflict, and asks again.
    }
  }

  /** After an append whose answer was lost, the stream itself says whether it took place. */
  private async hasLanded(count: number): Promise<boolean> {
    const expected = (this.nextId ?? 0) + count;
    this.nextId = Math.max(this.nextId ?? 0, (await this.stream.lastId(this.executionId)) + 1);
    this.isLastOutcomeUnknown = false;
    return this.nextId === expected;
  }

  private close(): void {
    this.isClosed = true;
    this.buffer.take();
  }
}
