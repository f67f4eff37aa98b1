import type { EventStream } from '#libs/executions';

export type BackendStream = EventStream & { close?(): Promise<void> };

/** One server with its data, on which the contract of event streams runs. */
export interface EventStreamBackend {
  /** Opens a stream as another process does: own connections, the same data. */
  open(): BackendStream;
  /** Waits for connections that receive wake-ups and cuts them; null for a backend without these connections. */
  readonly cutWakeUps: (() => Promise<void>) | null;
  /** Stores an event with a name unknown to this release under `id`; null for a backend where that cannot happen. */
  readonly appendUnknown: ((executionId: string, id: number) => Promise<void>) | null;
  /** Makes all events of a stream older by `byMs` milliseconds. */
  age(executionId: string, byMs: number): Promise<void>;
  close(): Promise<void>;
}
