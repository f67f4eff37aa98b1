import { EventSink } from '#libs/agent-core';
import type { ExecutionEvent } from '#libs/payloads';

/** Adds the scope of an inner loop to its events; they share the numbering of the execution. */
export class ScopedEventSink extends EventSink {
  constructor(
    private readonly events: EventSink,
    private readonly of: { readonly scope: string; readonly parent_tool_use_id: string },
  ) {
    super();
  }

  override emit(event: ExecutionEvent): void {
    // Every event that a loop emits accepts these fields.
    this.events.emit({ ...event, data: { ...event.data, ...this.of } } as ExecutionEvent);
  }

  override flush(): Promise<void> {
    return this.events.flush();
  }

  override isFollowed(): boolean {
    return this.events.isFollowed();
  }
}
