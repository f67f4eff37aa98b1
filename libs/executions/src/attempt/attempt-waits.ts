import { WaitNotice, type EventSink, type Wait, type WaitEnding } from '#libs/agent-core';
import type { Clock, Timers } from '#libs/kernel';
import { toWaitingEvent, type WaitingFor } from '#libs/payloads';

export interface AttemptWaitsDependencies {
  readonly events: EventSink;
  /** Clock on the store's time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly timers: Timers;
  /** Stores the shown wait. A rejection is ignored: the next change is stored anyway. */
  readonly store: (waiting: WaitingFor | null) => Promise<unknown>;
}

/** Shorter planned pauses are not emitted: they end before a follower could react. */
const MIN_EMITTED_MS = 1_000;

/**
 * Whether a wait is emitted as an event. Pure.
 * @param nextTryMs planned pause in milliseconds; null when unknown
 */
export function isEmitted({ nextTryMs }: Pick<Wait, 'nextTryMs'>): boolean {
  return nextTryMs === null || nextTryMs >= MIN_EMITTED_MS;
}

/**
 * Tracks the waits of one attempt: the execution shows the longest-lasting one, and long waits are emitted as `waiting`
 * events.
 */
export class AttemptWaits extends WaitNotice {
  private readonly current = new Set<WaitingFor>();
  /** Start time by kind and name, kept until the wait ends: several failed tries count as one wait. */
  private readonly since = new Map<string, string>();
  private shown: WaitingFor | null;
  private emitted: WaitingFor | null;
  private readonly brief = new WeakSet<WaitingFor>();
  /** Wait from before the claim; the first wait that ends in this attempt ends it. */
  private inherited: WaitingFor | null;
  private storing: Promise<void> | null = null;
  private stored: WaitingFor | null;

  /** @param inherited wait that the execution shows when the attempt begins */
  constructor(
    private readonly deps: AttemptWaitsDependencies,
    inherited: WaitingFor | null,
  ) {
    super();
    this.inherited = inherited;
    this.shown = inherited;
    this.emitted = inherited;
    this.stored = inherited;
    if (inherited !== null) this.since.set(keyOf(inherited), inherited.since);
  }

  override begin({ kind, name, message, nextTryMs }: Wait, afterMs = 0): (ending: WaitEnding) => void {
    const key = keyOf({ kind, name });
    const now = this.deps.clock.now();
    const earlier = this.since.get(key);
    // Most waits for a model end before they are shown.
    let shown: WaitingFor | null = null;
    const add = (): void => {
      const waiting: WaitingFor = {
        kind,
        name,
        since: earlier ?? at(now),
        next_try_at: nextTryMs === null ? null : at(now + nextTryMs),
        message: message.slice(0, MAX_MESSAGE),
      };
      if (!isEmitted({ nextTryMs })) this.brief.add(waiting);
      shown = waiting;
      this.since.set(key, waiting.since);
      this.current.add(waiting);
      this.show();
    };
    const cancel = afterMs > 0 ? this.deps.timers.after(afterMs, add) : null;
    if (cancel === null) add();
    let hasEnded = false;
    return (ending) => {
      if (hasEnded) return;
      hasEnded = true;
      cancel?.();
      this.inherited = null;
      if (shown !== null) this.current.delete(shown);
      if (ending === 'answered') this.forget(name);
      this.show();
    };
  }

  private forget(name: string | null): void {
    for (const key of this.since.keys()) if (key.startsWith(prefixOf(name))) this.since.delete(key);
  }

  /** Ends the wait from before the claim. */
  endInherited(): void {
    this.inherited = null;
    this.show();
  }

  private show(): void {
    const [first] = this.current;
    const next = first ?? this.inherited;
    if (next === this.shown) return;
    this.shown = next;
    this.emit(next !== null && this.brief.has(next) ? null : next);
    this.storing ??= this.storeShown().finally(() => {
      this.storing = null;
    });
  }

  private emit(next: WaitingFor | null): void {
    if (next === this.emitted) return;
    this.emitted = next;
    this.deps.events.emit({ event: 'waiting', data: toWaitingEvent(next) });
  }

  /** Stores changes one after the other; a change during a write is stored right after it. */
  private async storeShown(): Promise<void> {
    while (this.stored !== this.shown) {
      this.stored = this.shown;
      await this.deps.store(this.stored).catch(() => undefined);
    }
  }
}

/** Whether an answer of the model ends the wait; the beginning of an attempt ends any other wait. */
export function isOfModel({ kind }: WaitingFor): boolean {
  return kind === 'provider_backoff' || kind === 'rate_limit' || kind === 'model_first_byte';
}

const MAX_MESSAGE = 500;

function keyOf({ kind, name }: Pick<WaitingFor, 'kind' | 'name'>): string {
  return prefixOf(name) + kind;
}

function prefixOf(name: string | null): string {
  return `${JSON.stringify(name)} `;
}

function at(ms: number): string {
  return new Date(ms).toISOString();
}
