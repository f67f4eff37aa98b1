import { EventSink } from '#libs/agent-core';
import type { ExecutionEvent } from '#libs/payloads';

/** Keeps what was emitted, in its order. */
export class RecordingSink extends EventSink {
  readonly events: ExecutionEvent[] = [];

  override emit(event: ExecutionEvent): void {
    this.events.push(event);
  }

  override flush(): Promise<void> {
    return Promise.resolve();
  }
}
