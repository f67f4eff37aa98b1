import { EventSink } from '#libs/agent-core';
import type { ExecutionEvent } from '#libs/payloads';

/** Records the emitted events in order. */
export class RecordingSink extends EventSink {
  readonly events: ExecutionEvent[] = [];
  /** Whether a client seems to follow. */
  hasFollower = true;

  override isFollowed(): boolean {
    return this.hasFollower;
  }

  override emit(event: ExecutionEvent): void {
    this.events.push(event);
  }

  override flush(): Promise<void> {
    return Promise.resolve();
  }
}
