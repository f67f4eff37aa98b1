import { EventSink } from '#libs/agent-core';
import { canonicalJson, pause, toStorableJson, type MonotonicClock, type Timers } from '#libs/kernel';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';
import { EventStreamConflictError, type EventStream, type FollowerWatch } from '../ports/event-stream.js';
import { nextEventId } from './event-numbers.js';
import { EventBuffer, EventPace } from './event-buffer.js';

/** Buffered characters at which events are written without further wait. */
const MANY_CHARACTERS = 16_000;
const TRIES = 3;
/**
 * Pause before the second try, in milliseconds; four times that before the third. Broken connections are replaced
 * in between.
 */
const PAUSE_MS = 50;
/**
 * Maximum wait of an attempt for its events, in milliseconds; after one timeout, later flushes do not wait until the
 * stream recovers.
 */
const MAX_FLUSH_MS = 500;
/** Milliseconds that events wait for more while the execution has no follower: as much is lost with the process. */
const UNFOLLOWED_MS = 5_000;

export interface SinkListener {
  /** True while this claim of the execution is the latest. */
  isCurrent(): Promise<boolean>;
  /** Called when events were dropped; the journal still holds their content. */
  onLoss(error: unknown, count: number): void;
}

/**
 * Numbers one execution's events and appends them in order, in the background; without a follower they wait for the end of
 * the attempt, or for the first follower. The attempt never depends on it: a stream that is unavailable, slow or written by
 * another worker costs events and at most a short wait. Only the fence of the journal decides which worker may write the
 * execution.
 */
export class StreamEventSink extends EventSink {
  private readonly buffer = new EventBuffer((count) => {
    this.listener.onLoss(new Error('more events wait than are kept'), count);
  });
  private readonly pace = new EventPace();
  private readonly followers: FollowerWatch;
  /** Scheduled write of the buffered events. */
  private due: { readonly at: number; readonly cancel: () => void } | null = null;
  private writing: Promise<void> | null = null;
  /** True if the buffered events are to be written right after the current write. */
  private isWanted = false;
  private isOverdue = false;
  private isClosed = false;

  /** @param nextId number of the first event; null when the stream must be read for it */
  constructor(
    private readonly stream: EventStream,
    private readonly executionId: string,
    private nextId: number | null,
    private readonly listener: SinkListener,
    private readonly time: { readonly clock: MonotonicClock; readonly timers: Timers },
    private readonly maxFlushMs = MAX_FLUSH_MS,
  ) {
    super();
    this.followers = stream.watchFollowers(executionId, () => void this.write());
  }

  override emit(event: ExecutionEvent): void {
    if (this.isClosed) return;
    this.buffer.add(event);
    const now = this.time.clock.monotonic();
    const delayMs = this.isPatient ? UNFOLLOWED_MS : this.pace.delayOf(event, now);
    if (delayMs === 0 || this.buffer.characters >= MANY_CHARACTERS) void this.write();
    else this.writeBy(now, delayMs);
  }

  override async flush(): Promise<void> {
    const writing = this.write();
    if (this.isOverdue) return;
    const { promise: late, resolve } = Promise.withResolvers<'overdue'>();
    const cancel = this.time.timers.after(this.maxFlushMs, () => resolve('overdue'));
    this.isOverdue = (await Promise.race([writing, late])) === 'overdue';
    cancel();
  }

  override isFollowed(): boolean {
    return this.followers.hasFollowers;
  }

  /** A sink without a place in the stream takes one soon, so that an attempt it has overtaken finds the place taken. */
  private get isPatient(): boolean {
    return !this.followers.hasFollowers && this.nextId !== null;
  }

  /** Called when the attempt ends: what still waits is written, and no follower is heard of any more. */
  end(): void {
    this.followers.close();
    void this.write();
  }

  private writeBy(now: number, delayMs: number): void {
    const at = now + delayMs;
    if (this.due !== null && this.due.at <= at) return;
    this.due?.cancel();
    this.due = { at, cancel: this.time.timers.after(delayMs, () => void this.write()) };
  }

  /** Resolves once all events emitted so far are in the stream or were dropped. */
  private write(): Promise<void> {
    this.due?.cancel();
    this.due = null;
    if (this.writing === null && this.buffer.isEmpty) return Promise.resolve();
    this.isWanted = true;
    this.writing ??= this.writeWanted();
    return this.writing;
  }

  /** Events emitted during a write wait for their own time, or each write would be followed by a tiny one. */
  private async writeWanted(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      const events = this.buffer.take();
      if (events.length > 0 && (await this.writeBatch(events))) this.isOverdue = false;
    }
    this.writing = null;
  }

  /** Returns whether the events are in the stream. */
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

  /** An append in flight may still land, so the next write reads its number from the stream. */
  private giveUp(error: unknown, events: readonly ExecutionEvent[]): void {
    this.nextId = null;
    this.buffer.noteDropped(events);
    this.listener.onLoss(error, events.length);
  }

  /**
   * Returns the number after the last event; null after another worker's claim, when this sink closes. The stream is read
   * before the claim is checked, so that a later claimant either finds the events appended here or takes their number.
   */
  private async findPlace(): Promise<number | null> {
    const place = nextEventId(await this.stream.lastId(this.executionId));
    if (await this.listener.isCurrent()) return place;
    this.close();
    return null;
  }

  /**
   * Checks after an append without an answer whether it took place. Different events at that place belong to another
   * attempt; the number must then be read again.
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
