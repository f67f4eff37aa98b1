import { FIRST_STORED_ID } from '../events/event-numbers.js';
import { StreamEventSink } from '../events/stream-event-sink.js';
import type { Claim } from '../ports/claim-store.js';
import type { AttemptDependencies } from './attempt-dependencies.js';
import { EventSink } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { ExecutionEvent } from '#libs/payloads';
import type { ExecutionMeter } from '../ports/execution-meter.js';

/**
 * Opens the event sink. Events of a first claim start at the first number; later claims continue after the stored events.
 */
export function openSink(deps: AttemptDependencies, claim: Claim): StreamEventSink {
  const { events, claims, logger, clock, timers } = deps;
  const { executionId, epoch } = claim;
  const firstId = epoch === 1 ? FIRST_STORED_ID : null;
  const listener = {
    isCurrent: () => claims.isCurrent(claim),
    onLoss: (err: unknown, count: number) => logger.warn({ err, executionId, count }, 'live events dropped'),
  };
  return new StreamEventSink(events, executionId, firstId, listener, { clock, timers });
}

interface MeasuredAttempt {
  readonly claim: Claim;
  /** Clock on the store's time. */
  readonly clock: Pick<Clock, 'now'>;
  readonly meter: ExecutionMeter;
}

/** Measures the time from the claim to the first delta, in first attempts only: later claims are not the start. */
export function measureFirstDelta(sink: EventSink, { claim, clock, meter }: MeasuredAttempt): EventSink {
  if (claim.attempt > 1) return sink;
  return new FirstDeltaSink(sink, () => {
    meter.record({ kind: 'first_delta', seconds: (clock.now() - claim.claimedAtMs) / 1_000 });
  });
}

/** Forwards all events and calls `onFirstDelta` at the first piece of text or thinking. */
class FirstDeltaSink extends EventSink {
  private isWaiting = true;

  constructor(
    private readonly sink: EventSink,
    private readonly onFirstDelta: () => void,
  ) {
    super();
  }

  override emit(event: ExecutionEvent): void {
    this.sink.emit(event);
    if (!this.isWaiting || !DELTAS.has(event.event)) return;
    this.isWaiting = false;
    this.onFirstDelta();
  }

  override flush(): Promise<void> {
    return this.sink.flush();
  }

  override isFollowed(): boolean {
    return this.sink.isFollowed();
  }
}

const DELTAS: ReadonlySet<ExecutionEvent['event']> = new Set(['text_delta', 'thinking']);
