import { EventSink } from '#libs/agent-core';
import type { ExecutionEvent } from '#libs/payloads';

/** Emits everything, and says once when the first piece of text, or of a thought, came. */
export class FirstDeltaSink extends EventSink {
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
}

const DELTAS: ReadonlySet<ExecutionEvent['event']> = new Set(['text_delta', 'thinking']);
