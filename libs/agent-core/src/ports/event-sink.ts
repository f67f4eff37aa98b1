import type { ExecutionEvent } from '#libs/payloads';

/** Where the loop emits what happens, for whoever follows live. Losing an event loses nothing: the journal knows. */
export abstract class EventSink {
  /** Takes the event and returns at once; order is kept. */
  abstract emit(event: ExecutionEvent): void;
  /** Resolves when everything emitted so far is in the stream, or was given up. */
  abstract flush(): Promise<void>;
}
