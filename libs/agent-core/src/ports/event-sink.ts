import type { ExecutionEvent } from '#libs/payloads';

/** Receives the live events of the loop for subscribers. A lost event loses no data: the journal holds all facts. */
export abstract class EventSink {
  /** Queues the event and returns at once; events keep their order. */
  abstract emit(event: ExecutionEvent): void;
  /** Resolves when every event so far is in the stream or was dropped. */
  abstract flush(): Promise<void>;
  /** Whether a client may follow the events; true where that is not known. */
  isFollowed(): boolean {
    return true;
  }
}
