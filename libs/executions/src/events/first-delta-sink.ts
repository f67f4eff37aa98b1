import { EventSink } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { ExecutionEvent } from '#libs/payloads';
import type { Claim } from '../ports/claim-store.js';
import type { ExecutionMeter } from '../ports/execution-meter.js';

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
